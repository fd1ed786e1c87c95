// SPDX-License-Identifier: Apache-2.0

/// The bounds that a response must keep, whoever sends it (T-31, T-33, T-34).
struct HTTP1Limits: Sendable {
    /// The bytes of a status line with its fields, and those of a trailer section.
    var headBytes = 256 * 1024
    /// The lines of a header section or a trailer section.
    var headLines = 5_000
    /// The 1xx responses before the final one.
    var informationalResponses = 100
    /// One chunk-size line with its extensions.
    var chunkLineBytes = 4 * 1024
    /// Chunk framing beyond what the content's size accounts for, over a whole body.
    var chunkOverheadBytes = 16 * 1024
}
