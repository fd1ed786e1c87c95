// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import Logging
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A private cache of responses, by the rules of HTTP (RFC 9111).
///
/// Copies share what is stored, and so does everyone who is given one: `$0.cache = cache`. What different identities get
/// is kept apart (`StoreContext.partition`). All functions may be called from anywhere.
public struct ResponseCache: ResponseStore {
    let engine: CacheEngine

    /// How long responses are fresh of which the server says nothing at all: neither a lifetime, nor when they were
    /// changed last; `nil` if each of them is asked for again.
    ///
    /// It counts for requests, not for what is stored: a copy with another one shares the responses. Whole seconds count.
    /// Default: `nil`.
    public var defaultLifetime: Duration?

    private init(_ engine: CacheEngine) { self.engine = engine }

    /// A cache in memory, of its own.
    ///
    /// Make one, and give it to all trees that should share it. A response that needs more than a quarter of the whole is
    /// not stored; of the others, those go first that nobody has used a second time.
    ///
    /// - Parameters:
    ///   - megabytes: How many megabytes (10^6 bytes) of bodies and heads are stored at most.
    ///   - date: The present date, for tests. It is read once; from there on, the clock of each call counts.
    /// - Returns: The cache.
    public static func memory(megabytes: Int, date: Date = Date()) -> ResponseCache {
        let bytes = max(0, megabytes).multipliedReportingOverflow(by: 1_000_000)
        return ResponseCache(CacheEngine(capacity: bytes.overflow ? .max : bytes.partialValue, time: CacheTime(date)))
    }

    /// A cache in a folder, which outlives the process, and which several processes may use at once.
    ///
    /// Its files are in a folder of their own in this one, readable only by their owner, and not encrypted. A damaged file
    /// is a miss; a folder that can't be used makes each request a miss, and one warning. The folder is opened by the first
    /// request. Responses of identities that aren't known in another process (`StorePartition.isLasting`) are stored in
    /// memory only. Users, secrets and the request fields that a response depends on are written as digests.
    ///
    /// - Parameters:
    ///   - folder: The folder's path or `file:` URL; it is made if it doesn't exist.
    ///   - megabytes: How many megabytes (10^6 bytes) the files take at most, about. A body of more than a quarter is not
    ///     stored.
    ///   - logger: Gets the warning.
    ///   - date: The present date, for tests; as in ``memory(megabytes:date:)``.
    /// - Returns: The cache.
    public static func disk(
        _ folder: some Locator,
        megabytes: Int = 200,
        logger: Logger = Logger(label: "cumulus.cache"),
        date: Date = Date()
    ) -> ResponseCache {
        let bytes = Int64(max(0, megabytes)).multipliedReportingOverflow(by: 1_000_000)
        let capacity = bytes.overflow ? .max : bytes.partialValue
        return storage(DiskStorage(folder.locatorText, capacity: capacity, logger: logger), date: date)
    }

    /// A cache in a storage of one's own.
    ///
    /// - Parameters:
    ///   - storage: What keeps the responses.
    ///   - megabytes: How many megabytes (10^6 bytes) of memory are used besides, for responses that several calls wait
    ///     for, and for those of identities that the storage must not know.
    ///   - date: The present date, for tests; as in ``memory(megabytes:date:)``.
    /// - Returns: The cache.
    public static func storage(_ storage: any CacheStorage, megabytes: Int = 10, date: Date = Date()) -> ResponseCache {
        let bytes = max(0, megabytes).multipliedReportingOverflow(by: 1_000_000)
        let capacity = bytes.overflow ? .max : bytes.partialValue
        return ResponseCache(CacheEngine(capacity: capacity, storage: storage, time: CacheTime(date)))
    }

    /// Removes all stored responses.
    ///
    /// Those that are being received are not stored.
    public func removeAll() async { await engine.removeAll() }

    /// Removes what is stored for a URL, whoever it is for, and whatever a QUERY asked with.
    ///
    /// - Parameter url: The whole URL, with its query.
    /// - Throws: `RequestURL.Malformation` if it is none.
    public func remove(_ url: some Locator) async throws {
        let url = try RequestURL(url.locatorText)
        await engine.invalidate([CacheKey(origin: url.origin, target: url.target)])
    }

    /// How many bytes the responses in memory take, with their heads.
    public var memoryUse: Int { engine.state.withLock(\.table.cost) }

    /// How many calls wait for another's response.
    var waiterCount: Int { engine.state.withLock { $0.fetches.values.reduce(0) { $0 + $1.waiterCount } } }

    /// What to do with a request; never waits.
    public func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? {
        engine.find(request, context, defaultLifetime: lifetimeSeconds)
    }

    /// What to do with a request that has to wait: for the response to another call, or for a disk.
    public func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart {
        try await engine.begin(request, context, defaultLifetime: lifetimeSeconds)
    }

    private var lifetimeSeconds: Int64? {
        defaultLifetime.map { min(max(0, $0.components.seconds), DeltaSeconds.most) }
    }
}

extension Resource.Settings {
    /// The cache of responses; `nil` for none.
    ///
    /// It is the `responseStore`, by a plainer name: only one of both can be set. Which stored responses a call accepts
    /// is its `cachePolicy`. Default: `nil`. The nearest wins.
    public var cache: ResponseCache? {
        get { responseStore as? ResponseCache }
        set { responseStore = newValue }
    }
}
