// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// A digest that is updated while a stream is written.
final class RunningHash: Sendable {
    private let digest: Mutex<MessageDigest>

    init(_ algorithm: MessageDigest.Algorithm) { digest = Mutex(MessageDigest(algorithm)) }

    func update(_ chunk: ByteChunk) { digest.withLock { digest in chunk.withUnsafeBytes { digest.update($0) } } }

    var bytes: [UInt8] { digest.withLock { $0.bytes } }
}
