// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// Stores responses outside a ``ResponseCache``'s memory: in a folder, or in your own database.
///
/// It doesn't need to know the rules of HTTP: the cache decides which responses are stored, and whether they may be
/// used. No method throws. Omit responses that you can't read, and don't store those that you can't write. The
/// responses of identities that aren't known in another process are never passed to it (`StorePartition.isLasting`).
public protocol CacheStorage: Sendable {
    /// Returns the responses that are stored for a URL and a user, in any order.
    func responses(for place: CachePlace) async -> [KeptResponse]

    /// Starts to store a response whose body is arriving.
    ///
    /// When the body has ended, the new response replaces any with equal ``CachedResponse/selecting``.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - place: The place where the response belongs.
    ///   - length: The length of the response's body in bytes; `nil` if it is unknown.
    /// - Returns: A writer for the body; `nil` if the response isn't stored.
    func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)?

    /// Replaces the head of a stored response, since the server has confirmed it; `nil` removes the response.
    ///
    /// If a response with a different body has replaced it in the meantime, leave the newer response unchanged. The
    /// ``KeptResponse/id`` must distinguish the two.
    func update(_ kept: KeptResponse, to response: CachedResponse?, for place: CachePlace) async

    /// Removes the responses for a URL, for all users; `nil` removes everything.
    func remove(_ url: String?) async
}

/// The place where a response belongs: a URL, a user and, for a QUERY, its content.
public struct CachePlace: Sendable {
    /// The whole URL, without a fragment.
    public let url: String
    /// The user and route of the response.
    ///
    /// Responses stored for one partition must never be returned for another.
    ///
    /// For storage on disk, use its code (`StorePartition.code(keyedBy:)`).
    public let partition: StorePartition
    /// A digest of the content of a QUERY; `nil` for a GET.
    ///
    /// Responses stored for one content must never be returned for another.
    public let content: String?
    /// The URL as it may be shown, without the values of its query.
    let shownURL: String

    /// Creates a place.
    public init(url: String, partition: StorePartition, content: String? = nil) {
        self.init(url: url, partition: partition, content: content, shownURL: String(url.before("?")))
    }

    init(url: String, partition: StorePartition, content: String?, shownURL: String) {
        (self.url, self.partition, self.content, self.shownURL) = (url, partition, content, shownURL)
    }

    /// The method of the requests with this place.
    var method: String { content == nil ? "GET" : "QUERY" }
}

extension CachePlace: Hashable {
    /// Whether two places are the same, regardless of their descriptions.
    public static func == (one: CachePlace, other: CachePlace) -> Bool {
        one.url == other.url && one.partition == other.partition && one.content == other.content
    }

    /// Hashes the values that identify the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(partition)
        hasher.combine(content)
    }
}

/// A response that a ``CacheStorage`` has stored.
public struct KeptResponse: Sendable {
    /// The storage's identifier for the response; a response with a different body must have a different identifier.
    public let id: String
    /// The response.
    public let response: CachedResponse
    /// The response's body.
    public let body: any CachedBody

    /// Creates a response.
    public init(id: String, response: CachedResponse, body: any CachedBody) {
        self.id = id
        self.response = response
        self.body = body
    }
}

/// The body of a response that a ``CacheStorage`` has stored.
public protocol CachedBody: Sendable {
    /// The body's length in bytes.
    var length: Int64 { get }

    /// Prepares the body for reading, after its response was chosen. Returns false if the body can't be read; the
    /// response is then ignored.
    ///
    /// It is called before ``read(_:)``, perhaps more than once. Default: true.
    func prepare() async -> Bool

    /// Reads the body, or a part of it.
    ///
    /// It stays readable even if the response is replaced or removed in the meantime. If bytes are found to be damaged,
    /// the reader throws `TransportFailure` of the kind `TransportFailure.Kind.truncated`, and the request is sent
    /// again if the call may retry.
    func read(_ range: Range<Int64>) -> ResponseBody
}

extension CachedBody {
    /// Returns true.
    public func prepare() async -> Bool { true }
}

/// Receives the body of a response that is being stored.
///
/// Either ``finish()`` or ``abandon()`` is called last.
public protocol CacheWriter: Sendable {
    /// Receives the next bytes.
    ///
    /// - Returns: Whether the writer accepts more bytes; if not, ``abandon()`` follows.
    func write(_ bytes: ByteChunk) async -> Bool
    /// Completes the body. From now on, the response can be found.
    func finish() async
    /// Discards the body, which won't be complete; nothing is stored.
    func abandon()
}
