// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The largest number of concurrent connections of a download, unless ``DownloadOptions/connections`` is set.
    ///
    /// A download starts with one and adds others as long as they make it faster; 1 keeps it at one. Default: 6. The
    /// nearest layer wins.
    public var maxConcurrentChunks: Int {
        get { self[key: MaxConcurrentChunksKey.self] }
        set { self[key: MaxConcurrentChunksKey.self] = newValue }
    }

    /// The smallest part of a download, in bytes, for which another connection is opened, unless
    /// ``DownloadOptions/connections`` is set; those that are open share smaller ones.
    ///
    /// Default: 4 MiB. The nearest layer wins.
    public var chunkSize: Int64 {
        get { self[key: ChunkSizeKey.self] }
        set { self[key: ChunkSizeKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/maxConcurrentChunks``.
enum MaxConcurrentChunksKey: HarmlessSettingKey {
    /// 6.
    static var defaultValue: Int { 6 }
}

/// The key of ``Resource/Settings/chunkSize``.
enum ChunkSizeKey: HarmlessSettingKey {
    /// 4 MiB.
    static var defaultValue: Int64 { 4 << 20 }
}
