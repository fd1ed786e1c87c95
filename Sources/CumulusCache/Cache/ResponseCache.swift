// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import Logging
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A private cache of responses that follows the rules of HTTP (RFC 9111).
///
/// Copies share the stored responses, and so do all resources that use the cache: `$0.cache = cache`. Responses for
/// different identities are kept separate (`StoreContext.partition`). All functions may be called from any thread or
/// task.
public struct ResponseCache: ResponseStore {
    let engine: CacheEngine

    /// The time for which a response is fresh if the server sends neither a lifetime nor `Last-Modified`; `nil` if each
    /// such response is requested again.
    ///
    /// It applies to requests, not to stored responses: a copy with a different value shares the responses. Fractions
    /// of a second are ignored. Default: `nil`.
    public var defaultLifetime: Duration?

    private init(_ engine: CacheEngine) { self.engine = engine }

    /// Creates a new cache in memory.
    ///
    /// Create one cache, and set it for all trees that should share it. A response that needs more than a quarter of
    /// the capacity is not stored. Responses that were not used a second time are removed first.
    ///
    /// - Parameters:
    ///   - megabytes: The maximum size of stored bodies and heads, in megabytes (10^6 bytes).
    ///   - date: The current date, for tests. It is read once; after that, the cache uses the clock of each call.
    /// - Returns: The cache.
    public static func memory(megabytes: Int, date: Date = Date()) -> ResponseCache {
        let bytes = max(0, megabytes).multipliedReportingOverflow(by: 1_000_000)
        return ResponseCache(CacheEngine(capacity: bytes.overflow ? .max : bytes.partialValue, time: CacheTime(date)))
    }

    /// Creates a cache in a folder, which outlives the process, and which several processes may use at once.
    ///
    /// Its files are in a subfolder, readable only by their owner, and not encrypted. A damaged file is a cache miss.
    /// If the folder can't be used, each request is a miss, and one warning is logged. The first request opens the
    /// folder. Responses of identities that aren't known in another process (`StorePartition.isLasting`) are stored in
    /// memory only. Users, secrets and the request fields on which a response depends are written as digests.
    ///
    /// - Parameters:
    ///   - folder: The folder's path or `file:` URL; it is created if it doesn't exist.
    ///   - megabytes: The approximate maximum size of the files, in megabytes (10^6 bytes). A body larger than a
    ///     quarter of this is not stored.
    ///   - logger: The logger for the warning.
    ///   - date: The current date, for tests; as in ``memory(megabytes:date:)``.
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

    /// Creates a cache in your own storage.
    ///
    /// - Parameters:
    ///   - storage: The storage for the responses.
    ///   - megabytes: The additional memory, in megabytes (10^6 bytes), for responses that several calls wait for, and
    ///     for those of identities that must not be passed to the storage.
    ///   - date: The current date, for tests; as in ``memory(megabytes:date:)``.
    /// - Returns: The cache.
    public static func storage(_ storage: any CacheStorage, megabytes: Int = 10, date: Date = Date()) -> ResponseCache {
        let bytes = max(0, megabytes).multipliedReportingOverflow(by: 1_000_000)
        let capacity = bytes.overflow ? .max : bytes.partialValue
        return ResponseCache(CacheEngine(capacity: capacity, storage: storage, time: CacheTime(date)))
    }

    /// Removes all stored responses.
    ///
    /// Responses that are being received are not stored.
    public func removeAll() async { await engine.removeAll() }

    /// Removes the stored responses for a URL, for all users and all QUERY contents.
    ///
    /// - Parameter url: The whole URL, with its query.
    /// - Throws: `RequestURL.Malformation` if it is not a valid URL.
    public func remove(_ url: some Locator) async throws {
        let url = try RequestURL(url.locatorText)
        await engine.invalidate([CacheKey(origin: url.origin, target: url.target)])
    }

    /// The number of bytes of the responses in memory, with their heads.
    public var memoryUse: Int { engine.state.withLock(\.table.cost) }

    /// The number of calls that wait for another call's response.
    var waiterCount: Int { engine.state.withLock { $0.fetches.values.reduce(0) { $0 + $1.waiterCount } } }

    /// Looks up a request; never waits.
    public func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? {
        engine.find(request, context, defaultLifetime: lifetimeSeconds)
    }

    /// Looks up a request that has to wait for the response to another call, or for a disk.
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
    /// This is another name for `responseStore`: only one of the two can be set. The `cachePolicy` determines which
    /// stored responses a call accepts. Default: `nil`. The nearest wins.
    public var cache: ResponseCache? {
        get { responseStore as? ResponseCache }
        set { responseStore = newValue }
    }
}
