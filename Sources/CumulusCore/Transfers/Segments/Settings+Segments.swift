// SPDX-License-Identifier: Apache-2.0

/// How a download is divided among connections, unless ``DownloadOptions/connections`` is set.
public struct DownloadChunks: Sendable, Hashable {
    /// The smallest part, in bytes, for which an additional connection is opened; open connections share smaller parts.
    public var size: Int64
    /// The maximum number of concurrent connections.
    ///
    /// A download starts with one connection, and adds others as long as they make it faster. With 1, it uses only one.
    public var maxConcurrent: Int

    /// Creates a rule for dividing downloads among connections.
    ///
    /// Numbers below 1 count as 1.
    public init(size: Int64 = 4 << 20, maxConcurrent: Int = 6) {
        self.size = size
        self.maxConcurrent = maxConcurrent
    }
}

extension Resource.Settings {
    /// How downloads are divided among connections.
    ///
    /// Default: at most 6 connections, with no additional connection for less than 4 MiB. The nearest layer wins.
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
