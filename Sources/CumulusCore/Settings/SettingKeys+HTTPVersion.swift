// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// Which version of HTTP is used.
    ///
    /// A server that doesn't speak the version demanded is an error with the code `unsupported`. A request that asks
    /// to switch protocols (`Upgrade`) goes by HTTP/1.1 unless HTTP/2 is demanded.
    ///
    /// Default: `.automatic`. The nearest layer wins.
    public var httpVersion: HTTPVersionKey.Type { HTTPVersionKey.self }
}

/// The key of ``SettingKeys/httpVersion``.
public enum HTTPVersionKey: SettingKey {
    /// What both sides know best.
    public static var defaultValue: HTTPVersion { .automatic }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}
