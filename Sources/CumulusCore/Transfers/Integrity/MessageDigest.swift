// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
import CryptoKit
#else
import CDigests
#endif

/// A digest by MD5 or an SHA that grows with its bytes; a copy is a digest of its own.
package struct MessageDigest: Sendable {
    /// The SHA-256 of bytes.
    package static func sha256(of bytes: [UInt8]) -> [UInt8] {
        var digest = MessageDigest(.sha256)
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.bytes
    }

    #if canImport(CryptoKit)
    private var hash: any HashFunction & Sendable

    /// A digest of no bytes.
    init(_ algorithm: Algorithm) {
        switch algorithm {
        case .md5: hash = Insecure.MD5()
        case .sha1: hash = Insecure.SHA1()
        case .sha256: hash = SHA256()
        case .sha384: hash = SHA384()
        case .sha512: hash = SHA512()
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest as it stands.
    var bytes: [UInt8] {
        func bytes(of hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
        return bytes(of: hash)
    }
    #else
    private var digest: CDigest

    /// A digest of no bytes.
    init(_ algorithm: Algorithm) {
        let constant =
            switch algorithm {
            case .md5: CDigestMD5
            case .sha1: CDigestSHA1
            case .sha256: CDigestSHA256
            case .sha384: CDigestSHA384
            case .sha512: CDigestSHA512
            }
        digest = cdigest_begin(constant)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { cdigest_update(&digest, bytes.baseAddress, bytes.count) }

    /// The digest as it stands.
    var bytes: [UInt8] {
        withUnsafePointer(to: digest) { digest in
            [UInt8](unsafeUninitializedCapacity: Int(CDIGEST_MAX_SIZE)) { buffer, size in
                size = cdigest_read(digest, buffer.baseAddress)
            }
        }
    }
    #endif
}

extension MessageDigest {
    enum Algorithm: Sendable {
        case md5
        case sha1
        case sha256
        case sha384
        case sha512
    }
}
