// SPDX-License-Identifier: Apache-2.0

/// How much a body in parts may make its reader hold.
public struct MultipartLimits: Sendable, Hashable {
    /// How many parts there may be.
    ///
    /// Default: 10,000.
    public var parts = 10_000
    /// How many bytes the header of one part may have.
    ///
    /// Default: 16 KiB.
    public var headerSize = 16_384
    /// How many bytes of one part may be taken into memory.
    ///
    /// Default: 100 MB.
    public var partSize = 100_000_000

    /// Makes the default limits.
    public init() {}
}
