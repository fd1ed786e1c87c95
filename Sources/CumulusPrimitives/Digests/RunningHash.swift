// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A digest that is updated while a stream is written.
package final class RunningHash: Sendable {
    private let digest: Mutex<MessageDigest>

    package init(_ algorithm: MessageDigest.Algorithm) { digest = Mutex(MessageDigest(algorithm)) }

    package func update(_ bytes: UnsafeRawBufferPointer) { digest.withLock { $0.update(bytes) } }

    package var bytes: [UInt8] { digest.withLock { $0.bytes } }
}
