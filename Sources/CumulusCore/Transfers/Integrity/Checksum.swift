// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The digest of a file, and its algorithm.
public struct Checksum: Sendable, Hashable {
    /// The algorithm.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: [UInt8]

    /// Creates a checksum from bytes.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` if the number of bytes doesn't match the
    ///   algorithm.
    public init(_ algorithm: Algorithm, _ bytes: [UInt8]) throws {
        guard bytes.count == algorithm.length else {
            throw Checksum.refusal("a \(algorithm) digest has \(algorithm.length) bytes, not \(bytes.count)")
        }
        self.init(known: algorithm, bytes)
    }

    /// Creates a checksum from a digest in hexadecimal digits, as programs print it, or in Base64, as in header fields.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` if the text is neither, or has the wrong
    ///   length.
    public init(_ algorithm: Algorithm, _ text: String) throws {
        let bytes =
            text.utf8.count == algorithm.length * 2 ? Checksum.hexadecimal(text) : Checksum.base64(text[...])
        guard let bytes, bytes.count == algorithm.length else {
            throw Checksum.refusal(
                "\(PeerText.quoted(text)) is not a \(algorithm) digest, which has \(algorithm.length * 2) hexadecimal digits"
            )
        }
        self.init(known: algorithm, bytes)
    }

    /// Creates a checksum from an algorithm and a digest, separated by a colon: `sha256:9f86d0…`.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` and a message that names the problem.
    public init(parsing text: String) throws {
        guard let (name, digest) = text.cut(at: ":") else {
            throw Checksum.refusal("\(PeerText.quoted(text)) is not a checksum; write `sha256:DIGITS`")
        }
        guard let algorithm = Algorithm(name: String(name)) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw Checksum.refusal("the algorithm \(PeerText.quoted(String(name))) is unknown; use one of \(known)")
        }
        try self.init(algorithm, String(digest))
    }

    init(known algorithm: Algorithm, _ bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// The digest in hexadecimal digits.
    public var hexadecimal: String { MessageDigest.hexadecimal(bytes) }

    private static func refusal(_ reason: String) -> CumulusError {
        CumulusError(.invalidRequest, stage: .encoding, reason)
    }

    static func hexadecimal(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?([])) { bytes, index in
            guard let high = digits[index], let low = digits[index + 1] else { return bytes = nil }
            bytes?.append(UInt8(high << 4 | low))
        }
    }
}

extension Checksum {
    /// A digest algorithm.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// CRC-32, as in zlib and Ethernet. It detects only accidental changes.
        case crc32
        /// CRC-32C (Castagnoli). It detects only accidental changes.
        case crc32c
        /// MD5. It detects accidental changes, but a different file with the same digest can be created.
        case md5
        /// SHA-1. It detects accidental changes, but a different file with the same digest can be created.
        case sha1
        /// SHA-256.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-512.
        case sha512

        /// Creates an algorithm from its name in any case, with or without its hyphen: `sha256`, `SHA-256`; `nil` for
        /// an unknown algorithm.
        public init?(name: String) {
            self.init(
                rawValue: String(decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
            )
        }

        /// The length of a digest in bytes.
        public var length: Int {
            switch self {
            case .crc32, .crc32c: 4
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Checksum: CustomStringConvertible {
    /// The algorithm and digest, separated by a colon, as ``init(parsing:)`` parses them.
    public var description: String { "\(algorithm):\(hexadecimal)" }
}

extension Checksum {
    /// Decodes Base64, with or without padding; `nil` if it is invalid.
    static func base64(_ text: Substring) -> [UInt8]? {
        let unpadded = text.before("=")
        let padding = String(repeating: "=", count: (4 - unpadded.utf8.count % 4) % 4)
        return Data(base64Encoded: unpadded + padding).map { [UInt8]($0) }
    }
}
