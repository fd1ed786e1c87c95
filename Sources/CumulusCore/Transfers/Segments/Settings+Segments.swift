// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The largest number of concurrent connections of a download to one origin, unless ``DownloadOptions/connections``
    /// is set.
    ///
    /// A download starts with one and adds others as long as they make it faster; 1 keeps it at one. Default: 6. The
    /// nearest layer wins.
    public var maxConcurrentChunks: Int {
        get { self[MaxConcurrentChunksKey.self] }
        set { self[MaxConcurrentChunksKey.self] = newValue }
    }

    /// The smallest part of a download, in bytes, that gets its own connection.
    ///
    /// Default: 4 MiB. The nearest layer wins.
    public var chunkSize: Int64 {
        get { self[ChunkSizeKey.self] }
        set { self[ChunkSizeKey.self] = newValue }
    }
}

/// The key of ``Settings/maxConcurrentChunks``.
enum MaxConcurrentChunksKey: SettingKey {
    /// 6.
    static var defaultValue: Int { 6 }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}

/// The key of ``Settings/chunkSize``.
enum ChunkSizeKey: SettingKey {
    /// 4 MiB.
    static var defaultValue: Int64 { 4 << 20 }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }
}
