// SPDX-License-Identifier: Apache-2.0

/// A digest that a file is known by, and how it was made.
public struct Checksum: Sendable, Hashable {
    /// How the digest is made.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: [UInt8]

    /// Names a digest by its bytes.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` if they are not as many as the algorithm makes.
    public init(_ algorithm: Algorithm, _ bytes: [UInt8]) throws {
        guard bytes.count == algorithm.length else {
            throw Checksum.refusal("a \(algorithm) digest has \(algorithm.length) bytes, not \(bytes.count)")
        }
        self.init(known: algorithm, bytes)
    }

    /// Reads a digest as programs print it, in hexadecimal digits, or as header fields have it, in Base64.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` if it is neither, or of another length.
    public init(_ algorithm: Algorithm, _ text: String) throws {
        let bytes =
            text.utf8.count == algorithm.length * 2 ? Checksum.hexadecimal(text) : Checksum.base64(text[...])
        guard let bytes, bytes.count == algorithm.length else {
            throw Checksum.refusal(
                "\(RequestURL.quote(text)) is no \(algorithm) digest: that has \(algorithm.length * 2) hexadecimal digits"
            )
        }
        self.init(known: algorithm, bytes)
    }

    /// Reads an algorithm and a digest with a colon between them: `sha256:9f86d0…`.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest`` that says what is wrong.
    public init(parsing text: String) throws {
        guard let (name, digest) = text.cut(at: ":") else {
            throw Checksum.refusal("\(RequestURL.quote(text)) is not a checksum; one is written `sha256:DIGITS`")
        }
        guard let algorithm = Algorithm(name: String(name)) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw Checksum.refusal("the algorithm \(RequestURL.quote(String(name))) is not among \(known)")
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
    /// How a digest is made.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// CRC-32 as in zlib and Ethernet: finds accidents only.
        case crc32
        /// CRC-32C (Castagnoli): finds accidents only.
        case crc32c
        /// MD5: finds accidents; another file of the same digest can be made.
        case md5
        /// SHA-1: finds accidents; another file of the same digest can be made.
        case sha1
        /// SHA-256.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-512.
        case sha512

        /// Takes a name in either case, with or without its hyphen: `sha256`, `SHA-256`; `nil` for an unknown one.
        public init?(name: String) {
            self.init(
                rawValue: String(decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
            )
        }

        /// How many bytes a digest has.
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
    /// Algorithm and digest with a colon between them, as ``init(parsing:)`` reads it.
    public var description: String { "\(algorithm):\(hexadecimal)" }
}
