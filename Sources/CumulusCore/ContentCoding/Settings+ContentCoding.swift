// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// Whether the ``contentCodings`` are requested and decoded (RFC 9110 section 8.4).
    ///
    /// `Accept-Encoding` is sent with each request, except for one with a `Range`. Your own `Accept-Encoding`, or its
    /// mask, takes precedence. Responses are decoded anyway; a coding that you request and that is unknown here is left
    /// to you. A decoded response has no `Content-Encoding` and `Content-Length`. A response that the transport has
    /// decoded is left unchanged.
    ///
    /// Default: true. The nearest layer wins.
    public var decodesContent: Bool {
        get { self[key: DecodesContentKey.self] }
        set { self[key: DecodesContentKey.self] = newValue }
    }

    /// The content codings that are requested and decoded, in order of preference.
    ///
    /// A coding whose library is missing (``ContentCoding/missingLibrary``) is not requested. Codings that are not
    /// listed are refused. An empty list has the effect of turning ``decodesContent`` off.
    ///
    /// Default: gzip and deflate. The nearest layer wins.
    public var contentCodings: [ContentCoding] {
        get { self[key: ContentCodingsKey.self] }
        set { self[key: ContentCodingsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/decodesContent``.
enum DecodesContentKey: HarmlessSettingKey {
    /// True.
    static var defaultValue: Bool { true }
}

/// The key of ``Resource/Settings/contentCodings``.
enum ContentCodingsKey: HarmlessSettingKey {
    /// The codings of zlib.
    static var defaultValue: [ContentCoding] { ContentCoding.standard }

    /// The names, and the missing libraries.
    static func describe(_ value: [ContentCoding]) -> String {
        value.map { $0.isAvailable ? $0.name : "\($0.name) (missing)" }.joined(separator: ", ")
    }
}
