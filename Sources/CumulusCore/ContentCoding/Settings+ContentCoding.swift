// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Whether the ``contentCodings`` are asked for and undone (RFC 9110 section 8.4).
    ///
    /// `Accept-Encoding` goes with each request unless a `Range` does. An `Accept-Encoding` of yours, or its mask, is sent
    /// in its place; what comes is decoded all the same, and a coding that you name and that is not known here is left
    /// to you. What is decoded loses its `Content-Encoding` and `Content-Length`; a transport that decodes by itself is
    /// left alone.
    ///
    /// Default: true. The nearest layer wins.
    public var decodesContent: Bool {
        get { self[DecodesContentKey.self] }
        set { self[DecodesContentKey.self] = newValue }
    }

    /// Which content codings are asked for and undone, the one you like best first.
    ///
    /// One whose library is missing (``ContentCoding/missingLibrary``) is not asked for. Codings that are not listed are
    /// refused. An empty list is ``decodesContent`` turned off.
    ///
    /// Default: gzip and deflate. The nearest layer wins.
    public var contentCodings: [ContentCoding] {
        get { self[ContentCodingsKey.self] }
        set { self[ContentCodingsKey.self] = newValue }
    }
}

/// The key of ``Settings/decodesContent``.
enum DecodesContentKey: SettingKey {
    /// They are.
    static var defaultValue: Bool { true }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/contentCodings``.
enum ContentCodingsKey: SettingKey {
    /// What zlib can.
    static var defaultValue: [ContentCoding] { ContentCoding.standard }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// The names, and what is missing.
    static func describe(_ value: [ContentCoding]) -> String {
        value.map { $0.isAvailable ? $0.name : "\($0.name) (missing)" }.joined(separator: ", ")
    }
}
