// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Whether gzip and deflate are asked for and undone (RFC 9110 section 8.4).
    ///
    /// `Accept-Encoding: gzip, deflate` goes with each request unless a `Range` does. An `Accept-Encoding` of yours, or
    /// its mask, is sent in its place; what comes is decoded all the same, and a coding that you name and that is not
    /// known here is left to you. What is decoded loses its `Content-Encoding` and `Content-Length`; a transport that
    /// decodes by itself is left alone.
    ///
    /// Default: true. The nearest layer wins.
    public var decodesContent: Bool {
        get { self[DecodesContentKey.self] }
        set { self[DecodesContentKey.self] = newValue }
    }
}

/// The key of ``Settings/decodesContent``.
enum DecodesContentKey: SettingKey {
    /// They are.
    static var defaultValue: Bool { true }

    /// It tells another origin nothing.
    static var crossesOrigins: Bool { true }
}
