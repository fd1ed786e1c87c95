// SPDX-License-Identifier: Apache-2.0

/// A keyed digest (RFC 2104), ready for any number of messages.
package struct HMAC: Sendable {
    @usableFromInline let inner: MessageDigest
    @usableFromInline let outer: MessageDigest

    /// Prepares the key; one longer than the digest's block is hashed first.
    @inlinable package init(_ algorithm: MessageDigest.Algorithm = .sha256, key: some Collection<UInt8>) {
        let blockSize = algorithm.blockSize
        var block = [UInt8](key)
        if block.count > blockSize {
            var digest = MessageDigest(algorithm)
            block.withUnsafeBytes { digest.update($0) }
            block = digest.bytes
        }
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        func begun(_ pad: UInt8) -> MessageDigest {
            var digest = MessageDigest(algorithm)
            block.map { $0 ^ pad }.withUnsafeBytes { digest.update($0) }
            return digest
        }
        inner = begun(0x36)
        outer = begun(0x5C)
    }

    /// The code of a message.
    @inlinable package func code(of message: some Sequence<UInt8>) -> [UInt8] {
        var digest = inner
        let isDone: Void? = message.withContiguousStorageIfAvailable { digest.update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { [UInt8](message).withUnsafeBytes { digest.update($0) } }
        var last = outer
        digest.bytes.withUnsafeBytes { last.update($0) }
        return last.bytes
    }

    /// The code of a message under a key that is used once.
    package static func authenticationCode(
        for message: [UInt8],
        key: [UInt8],
        by algorithm: MessageDigest.Algorithm = .sha256
    ) -> [UInt8] {
        HMAC(algorithm, key: key).code(of: message)
    }
}

extension MessageDigest.Algorithm {
    /// The digest's block size in bytes.
    @inlinable package var blockSize: Int {
        switch self {
        case .md5, .sha1, .sha256: 64
        case .sha384, .sha512, .sha512Over256: 128
        }
    }
}
