// SPDX-License-Identifier: Apache-2.0

/// A content coding (RFC 9110 section 8.4.1): its name, its decoder, and optionally its encoder.
///
/// ``gzip`` and ``deflate`` are always available. The module `CumulusCodings` adds `brotli` and `zstd`, with libraries
/// that it looks for at run time. Two codings are equal if their names are.
public struct ContentCoding: Sendable {
    /// The registered name in lower case, for requests and for sent bodies.
    public let name: String
    /// Other names that servers use for the coding, in lower case.
    public let aliases: [String]
    private let missing: @Sendable () -> String?
    private let decoder: @Sendable () throws(ContentCodingProblem) -> any ContentDecoder
    private let encoder: (@Sendable () throws(ContentCodingProblem) -> any ContentEncoder)?

    /// Creates a coding from functions.
    ///
    /// - Parameters:
    ///   - name: The registered name, a token.
    ///   - aliases: The other names that occur in responses.
    ///   - missing: Returns the missing library, with the reason; `nil` if none is missing. It is called often.
    ///   - decoder: Creates a decoder for one body.
    ///   - encoder: Creates an encoder for one body; `nil` for a coding that can only be decoded.
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

    /// Whether the coding's libraries are available.
    ///
    /// A coding without its libraries is never requested.
    public var isAvailable: Bool { missing() == nil }

    /// The missing library, with the system's reason; `nil` if the coding is available.
    public var missingLibrary: String? { missing() }

    /// Whether the coding can encode request bodies.
    public var canEncode: Bool { encoder != nil }

    /// Creates a decoder for one body.
    ///
    /// - Throws: ``ContentCodingProblem`` if a library is missing or memory runs out.
    public func makeDecoder() throws(ContentCodingProblem) -> any ContentDecoder { try decoder() }

    /// Creates an encoder for one body.
    ///
    /// - Throws: ``ContentCodingProblem`` if a library is missing, memory runs out, or the coding has no encoder.
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

/// The reason why a body can't be encoded or decoded with a content coding.
///
/// It is the ``CumulusError/cause`` of an error with ``CumulusError/Code/contentCoding`` for a response, and with
/// ``CumulusError/Code/encoding`` for a request.
public struct ContentCodingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem.
    public let description: String
    package let kind: Kind

    /// Creates a problem, which your own coding throws.
    public init(_ description: String) { self.init(description, kind: .other) }

    package init(_ description: String, kind: Kind) {
        self.description = description
        self.kind = kind
    }

    /// The name of the response's content coding if it was not requested, as the server wrote it; `nil` for any other
    /// problem.
    public var unrequestedCoding: String? { if case .unrequested(let name) = kind { name } else { nil } }

    /// Whether the decoded body is so much longer than the bytes received that it may be an attack.
    public var isDisproportionate: Bool { kind == .disproportionate }

    /// The kinds of problems for which callers may have different remedies.
    package enum Kind: Sendable, Hashable {
        /// The response has a content coding that wasn't requested; its name is the server's text.
        case unrequested(String)
        /// The decoded body is far longer than the bytes that were received.
        case disproportionate
        /// The body ends before the compressed data does.
        case truncated
        case other
    }
}

extension ContentCoding {
    /// The gzip coding (RFC 1952), with one or more members; it uses the system's zlib.
    public static let gzip = ContentCoding(
        name: "gzip",
        aliases: ["x-gzip"],
        decoder: { () throws(ContentCodingProblem) in GzipDecoder(try Inflater(.gzip)) },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.gzip) }
    )

    /// The zlib format (RFC 1950), as RFC 9110 defines the coding; raw deflate (RFC 1951), which some servers send, is
    /// also decoded.
    public static let deflate = ContentCoding(
        name: "deflate",
        decoder: { () throws(ContentCodingProblem) in DeflateDecoder() },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.zlib) }
    )

    /// The default codings.
    static let standard: [ContentCoding] = [.gzip, .deflate]
}

extension ContentCoding {
    /// Whether a lowercase name means no coding; `none` is not registered, but some servers send it.
    ///
    /// `aws-chunked` frames an upload to an object store, which removes it and may keep the name with the object.
    static func isIdentity(_ name: String) -> Bool { ["identity", "none", "aws-chunked"].contains(name) }

    /// The elements of a list field, in lower case; empty elements are ignored (RFC 9110 section 5.6.1).
    static func names(in values: [String]) -> [String] {
        values.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.compactMap { element in
            let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
            let trimmed = element.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
            return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self).lowercased()
        }
    }
}

extension [ContentCoding] {
    /// The `Accept-Encoding` for the available codings, in order of preference; `nil` if there is none.
    var accepted: String? {
        if self == ContentCoding.standard { return "gzip, deflate" }
        let names = filter(\.isAvailable).map(\.name)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

/// Encodes one body with a content coding, piece by piece, without waiting.
///
/// An encoder is used by one task at a time.
public protocol ContentEncoder: AnyObject {
    /// Encodes as much of the input as it can.
    ///
    /// - Parameters:
    ///   - input: The bytes that were not consumed yet; may be empty.
    ///   - room: The output buffer.
    ///   - isLast: Whether the body ends with this input; the encoder is then called until it reports its end.
    /// - Returns: The number of bytes consumed, and the number produced.
    /// - Throws: ``ContentCodingProblem`` if encoding fails.
    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep
}

/// Decodes one body's content coding, piece by piece, without waiting.
///
/// The caller limits the size of the pieces, and refuses disproportionate output. A decoder is used by one task at a
/// time.
public protocol ContentDecoder: AnyObject {
    /// Decodes as much of the input as it can.
    ///
    /// It is called with the remaining input until all is consumed, and again without input as long as it fills the
    /// output buffer.
    ///
    /// - Parameters:
    ///   - input: The received bytes that were not consumed yet; may be empty.
    ///   - room: The output buffer.
    /// - Returns: The number of bytes consumed, and the number produced. If there is input and the coded data has not
    ///   ended, the decoder must consume or produce something.
    /// - Throws: ``ContentCodingProblem`` for invalid data.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep
}
