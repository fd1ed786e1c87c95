// SPDX-License-Identifier: Apache-2.0

/// A content coding (RFC 9110 section 8.4.1): its name, how it is undone, and perhaps how it is applied.
///
/// ``gzip`` and ``deflate`` are always there. The module `CumulusCodings` adds `brotli` and `zstd`, by libraries that it
/// looks for at run time. Two codings are equal if their names are.
public struct ContentCoding: Sendable {
    /// The registered name in lower case, which is asked for and sent.
    public let name: String
    /// Other names under which servers send it, in lower case.
    public let aliases: [String]
    private let missing: @Sendable () -> String?
    private let decoder: @Sendable () throws(ContentCodingProblem) -> any ContentDecoder
    private let encoder: (@Sendable () throws(ContentCodingProblem) -> any ContentEncoder)?

    /// Makes a coding of functions.
    ///
    /// - Parameters:
    ///   - name: The registered name, a token.
    ///   - aliases: Other names that responses may have.
    ///   - missing: Says which library is not there, and why; `nil` if nothing is missing. It is asked often.
    ///   - decoder: Starts undoing one body.
    ///   - encoder: Starts applying it to one body; `nil` for a coding that is only undone.
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

    /// Whether what it needs is there; one that isn't is never asked for.
    public var isAvailable: Bool { missing() == nil }

    /// Which library is missing, and the system's reason; `nil` if the coding is available.
    public var missingLibrary: String? { missing() }

    /// Whether it can be applied to what is sent.
    public var canEncode: Bool { encoder != nil }

    /// Starts undoing one body.
    ///
    /// - Throws: ``ContentCodingProblem`` where a library or memory is missing.
    public func makeDecoder() throws(ContentCodingProblem) -> any ContentDecoder { try decoder() }

    /// Starts applying it to one body.
    ///
    /// - Throws: ``ContentCodingProblem`` where a library or memory is missing, or the coding can't be applied.
    public func makeEncoder() throws(ContentCodingProblem) -> any ContentEncoder {
        guard let encoder else {
            throw ContentCodingProblem("the content coding \(name) can be decoded, but not encoded")
        }
        return try encoder()
    }

    /// Whether a name in lower case is its own.
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
