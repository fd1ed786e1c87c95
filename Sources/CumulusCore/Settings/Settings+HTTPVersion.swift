// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The version of HTTP to use.
    ///
    /// If the server doesn't support the required version, the error has the code `unsupported`. A request to
    /// switch protocols (`Upgrade`) uses HTTP/1.1 unless HTTP/2 is required.
    ///
    /// Default: `.automatic`. The nearest layer wins.
    public var httpVersion: HTTPVersion {
        get { self[key: HTTPVersionKey.self] }
        set { self[key: HTTPVersionKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/httpVersion``.
enum HTTPVersionKey: HarmlessSettingKey {
    /// The best version that both sides support.
    static var defaultValue: HTTPVersion { .automatic }
}
