// SPDX-License-Identifier: Apache-2.0

/// Bytes of a body in memory, and whether they are all of it.
struct CollectedBody: Sendable {
    let bytes: ByteChunk
    let isComplete: Bool
}
