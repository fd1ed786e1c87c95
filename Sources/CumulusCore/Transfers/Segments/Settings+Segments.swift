// SPDX-License-Identifier: Apache-2.0

/// The division of a download among connections, unless ``DownloadOptions/connections`` is set.
public struct DownloadChunks: Sendable, Hashable {
    /// The smallest part, in bytes, for which another connection is opened; those that are open share smaller ones.
    public var size: Int64
    /// The maximum number of concurrent connections.
    ///
    /// A download starts with one and adds others as long as they make it faster; 1 keeps it at one.
    public var maxConcurrent: Int

    /// Creates a division; numbers below one count as one.
    public init(size: Int64 = 4 << 20, maxConcurrent: Int = 6) {
        self.size = size
        self.maxConcurrent = maxConcurrent
    }
}

extension Resource.Settings {
    /// The division of downloads among connections.
    ///
    /// Default: at most 6 connections, and no additional one for less than 4 MiB. The nearest layer wins.
    public var chunks: DownloadChunks {
        get { self[key: DownloadChunksKey.self] }
        set { self[key: DownloadChunksKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/chunks``.
enum DownloadChunksKey: HarmlessSettingKey {
    /// 6 of 4 MiB.
    static var defaultValue: DownloadChunks { DownloadChunks() }
}
