// SPDX-License-Identifier: Apache-2.0

/// A content coding (RFC 9110 section 8.4.1): its name, its decoder, and optionally its encoder.
///
/// ``gzip`` and ``deflate`` are always available. The module `CumulusCodings` adds `brotli` and `zstd`, with libraries
/// that it looks for at run time. Two codings are equal if their names are.
public struct ContentCoding: Sendable {
    /// The registered name in lower case, for requests and for sent bodies.
    public let name: String
    /// Other names that servers use for it, in lower case.
    public let aliases: [String]
    private let missing: @Sendable () -> String?
    private let decoder: @Sendable () throws(ContentCodingProblem) -> any ContentDecoder
    private let encoder: (@Sendable () throws(ContentCodingProblem) -> any ContentEncoder)?

    /// Makes a coding from functions.
    ///
    /// - Parameters:
    ///   - name: The registered name, a token.
    ///   - aliases: Other names in responses.
    ///   - missing: Says which library is missing, and why; `nil` if none is. It is called often.
    ///   - decoder: Makes a decoder for one body.
    ///   - encoder: Makes an encoder for one body; `nil` for a coding that can only be decoded.
    public init(
        name: String,
        aliases: [String] = [],
        missing: @escaping @Sendable () -> String? = { nil },
        decoder: @escaping @Sendable () throws(ContentCodingProblem) -> any ContentDecoder,
        encoder: (@Sendable () throws(ContentCodingProblem) -> any ContentEncoder)? = nil
    ) {
        self.name = name.lowercased()
        self.aliases = aliases.map { $0.lowercased() }
        self.missing = missing
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Whether its libraries are available; a coding without them is never requested.
    public var isAvailable: Bool { missing() == nil }

    /// The missing library, with the system's reason; `nil` if the coding is available.
    public var missingLibrary: String? { missing() }

    /// Whether it can encode request bodies.
    public var canEncode: Bool { encoder != nil }

    /// Makes a decoder for one body.
    ///
    /// - Throws: ``ContentCodingProblem`` if a library is missing, or out of memory.
    public func makeDecoder() throws(ContentCodingProblem) -> any ContentDecoder { try decoder() }

    /// Makes an encoder for one body.
    ///
    /// - Throws: ``ContentCodingProblem`` if a library is missing, out of memory, or if the coding has no encoder.
    public func makeEncoder() throws(ContentCodingProblem) -> any ContentEncoder {
        guard let encoder else {
            throw ContentCodingProblem("the content coding \(name) can be decoded, but not encoded")
        }
        return try encoder()
    }

    /// Whether a lowercase name is one of its names.
    func answers(to name: String) -> Bool { name == self.name || aliases.contains(name) }
}

extension ContentCoding: Hashable, CustomStringConvertible {
    /// Whether the names are equal.
    public static func == (left: ContentCoding, right: ContentCoding) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}
