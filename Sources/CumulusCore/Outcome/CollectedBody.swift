// SPDX-License-Identifier: Apache-2.0

/// Bytes of a body in memory, and whether they are complete.
struct CollectedBody: Sendable {
    let bytes: ByteChunk
    let isComplete: Bool
}
