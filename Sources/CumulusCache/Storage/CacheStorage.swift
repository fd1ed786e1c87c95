// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

/// Keeps responses outside of a ``ResponseCache``'s memory: a folder, or a database of one's own.
///
/// It needs no rules of HTTP: the cache decides what is kept, and whether it may be used. Nothing throws: what can't be
/// read is not there, and what can't be written is not kept. The responses of identities that aren't known in another
/// process are never given to it (`StorePartition.isLasting`).
public protocol CacheStorage: Sendable {
    /// What is kept for a URL and a user, in any order.
    func responses(for place: CachePlace) async -> [KeptResponse]

    /// Begins to keep a response whose body is arriving; it replaces one with equal ``CachedResponse/selecting`` when the
    /// body has ended.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - place: Where it belongs.
    ///   - length: How many bytes its body will have; `nil` if that isn't known.
    /// - Returns: What takes the body; `nil` if the response isn't kept.
    func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)?

    /// Gives a kept response another head, since the server has confirmed it; `nil` removes it.
    ///
    /// If another response has taken its place meanwhile, with another body, that one must be left alone: the
    /// ``KeptResponse/id`` has to tell them apart.
    func update(_ kept: KeptResponse, to response: CachedResponse?, for place: CachePlace) async

    /// Removes what is kept for a URL, whoever it is for; `nil` removes everything.
    func remove(_ url: String?) async
}

/// Where a response belongs.
public struct CachePlace: Sendable {
    /// The whole URL, without a fragment.
    public let url: String
    /// For whom it is: what is kept for one must never be given to another.
    ///
    /// On a disk, use its code (`StorePartition.code(keyedBy:)`).
    public let partition: StorePartition
    /// A digest of what a QUERY asked with; `nil` for a GET.
    ///
    /// What is kept for one must never be given for another, either.
    public let content: String?
    /// The URL as it may be shown, without the values of its query.
    let shownURL: String

    /// Makes a place.
    public init(url: String, partition: StorePartition, content: String? = nil) {
        self.init(url: url, partition: partition, content: content, shownURL: String(url.before("?")))
    }

    init(url: String, partition: StorePartition, content: String?, shownURL: String) {
        (self.url, self.partition, self.content, self.shownURL) = (url, partition, content, shownURL)
    }

    /// The method of the requests that have it.
    var method: String { content == nil ? "GET" : "QUERY" }
}

extension CachePlace: Hashable {
    /// Whether it is the same place, however it is shown.
    public static func == (one: CachePlace, other: CachePlace) -> Bool {
        one.url == other.url && one.partition == other.partition && one.content == other.content
    }

    /// Hashes what makes it this place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(partition)
        hasher.combine(content)
    }
}

/// A response that a ``CacheStorage`` keeps.
public struct KeptResponse: Sendable {
    /// What the storage knows it by; that of a response with another body must differ.
    public let id: String
    /// The response.
    public let response: CachedResponse
    /// Its body.
    public let body: any CachedBody

    /// Makes a response.
    public init(id: String, response: CachedResponse, body: any CachedBody) {
        self.id = id
        self.response = response
        self.body = body
    }
}

/// The body of a response that a ``CacheStorage`` keeps.
public protocol CachedBody: Sendable {
    /// How many bytes it has.
    var length: Int64 { get }

    /// Makes it ready to be read, once its response was chosen; false if it can't be read, so the response is not there.
    ///
    /// Called before ``read(_:)``, perhaps more than once. Default: true.
    func prepare() async -> Bool

    /// Reads it, or a part of it.
    ///
    /// It stays readable although the response is replaced or removed meanwhile. If bytes are found to be damaged, the
    /// reader throws `TransportFailure` of the kind `TransportFailure.Kind.truncated`, and the request is sent again if
    /// the call may retry.
    func read(_ range: Range<Int64>) -> ResponseBody
}

extension CachedBody {
    /// True.
    public func prepare() async -> Bool { true }
}

/// Takes the body of a response that is to be kept.
///
/// Either ``finish()`` or ``abandon()`` is called last.
public protocol CacheWriter: Sendable {
    /// Takes the next bytes.
    ///
    /// - Returns: Whether more are wanted; if not, ``abandon()`` follows.
    func write(_ bytes: ByteChunk) async -> Bool
    /// The body is whole: from now on the response can be found.
    func finish() async
    /// The body won't be whole: nothing is kept.
    func abandon()
}
