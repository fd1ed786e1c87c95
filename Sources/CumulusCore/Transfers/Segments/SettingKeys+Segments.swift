// SPDX-License-Identifier: Apache-2.0

extension SettingKeys {
    /// How many connections a download may have to one origin at once, where ``DownloadOptions/connections`` names no
    /// number.
    ///
    /// A download begins with one and adds others for as long as they make it faster; 1 keeps it at one. Default: 6. The
    /// nearest layer wins.
    public var maxConcurrentChunks: MaxConcurrentChunksKey.Type { MaxConcurrentChunksKey.self }

    /// The least that a connection of a download is used for, in bytes: nothing smaller is split off.
    ///
    /// Default: 4 MiB. The nearest layer wins.
    public var chunkSize: ChunkSizeKey.Type { ChunkSizeKey.self }
}

/// The key of ``SettingKeys/maxConcurrentChunks``.
public enum MaxConcurrentChunksKey: SettingKey {
    /// 6.
    public static var defaultValue: Int { 6 }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}

/// The key of ``SettingKeys/chunkSize``.
public enum ChunkSizeKey: SettingKey {
    /// 4 MiB.
    public static var defaultValue: Int64 { 4 << 20 }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }
}
