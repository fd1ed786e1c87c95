// SPDX-License-Identifier: Apache-2.0

/// Limits for reading a multipart body.
public struct MultipartLimits: Sendable, Hashable {
    /// The limit of parts.
    ///
    /// Default: 10,000.
    public var parts = 10_000
    /// The limit of one part's header, in bytes.
    ///
    /// Default: 16 KiB.
    public var headerSize = 16_384
    /// The limit of one part's content in memory, in bytes.
    ///
    /// Default: 100 MB.
    public var partSize = 100_000_000

    /// Makes the default limits.
    public init() {}
}
