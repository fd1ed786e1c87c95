// SPDX-License-Identifier: Apache-2.0

import CDigests

#if canImport(CryptoKit)
import CryptoKit
#endif

/// An incremental digest with MD5 or an SHA; copies are independent.
package struct MessageDigest: Sendable {
    /// A digest algorithm.
    package enum Algorithm: Sendable {
        case md5
        case sha1
        case sha256
        case sha384
        case sha512
        /// SHA-512 with other initial values, truncated to 256 bits.
        case sha512Over256
    }

    /// The digest of bytes.
    package static func bytes(of bytes: [UInt8], by algorithm: Algorithm) -> [UInt8] {
        var digest = MessageDigest(algorithm)
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.bytes
    }

    /// The SHA-256 of bytes.
    package static func sha256(of bytes: [UInt8]) -> [UInt8] { Self.bytes(of: bytes, by: .sha256) }

    /// Bytes as lowercase hexadecimal digits.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            func digit(_ nibble: UInt8) -> UInt8 { nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
            for (place, byte) in bytes.enumerated() {
                text[2 * place] = digit(byte >> 4)
                text[2 * place + 1] = digit(byte & 15)
            }
            return bytes.count * 2
        }
    }

    #if canImport(CryptoKit)
    /// `nil` for algorithms that CryptoKit lacks.
    private var hash: (any HashFunction & Sendable)?
    #endif
    private var digest: CDigest

    /// Starts a digest without bytes.
    package init(_ algorithm: Algorithm) {
        #if canImport(CryptoKit)
        switch algorithm {
        case .md5: hash = Insecure.MD5()
        case .sha1: hash = Insecure.SHA1()
        case .sha256: hash = SHA256()
        case .sha384: hash = SHA384()
        case .sha512: hash = SHA512()
        case .sha512Over256: hash = nil
        }
        #endif
        let constant =
            switch algorithm {
            case .md5: CDigestMD5
            case .sha1: CDigestSHA1
            case .sha256: CDigestSHA256
            case .sha384: CDigestSHA384
            case .sha512: CDigestSHA512
            case .sha512Over256: CDigestSHA512Over256
            }
        digest = cdigest_begin(constant)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
        if hash != nil {
            hash?.update(bufferPointer: bytes)
            return
        }
        #endif
        cdigest_update(&digest, bytes.baseAddress, bytes.count)
    }

    /// The digest so far.
    package var bytes: [UInt8] {
        #if canImport(CryptoKit)
        func bytes(of hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
        if let hash { return bytes(of: hash) }
        #endif
        return withUnsafePointer(to: digest) { digest in
            [UInt8](unsafeUninitializedCapacity: Int(CDIGEST_MAX_SIZE)) { buffer, size in
                size = cdigest_read(digest, buffer.baseAddress)
            }
        }
    }
}
