// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A resource that is observed as a type: one for all observers of the same request with the same settings.
///
/// Its observers retain it; its requests don't.
final class ObservedResource<Value: Decodable & Sendable>: ResponseFeed {
    let origin: Origin?
    let path: String
    private let call: Call<Value>
    private let settings: ExchangeSettings
    private let table: ObservedRequests
    private let inside: Mutex<ObservedState<Value>>

    private init(_ call: Call<Value>, _ settings: ExchangeSettings, _ key: JoinKey?) {
        let address = try? call.resource.addressOrRefusal()
        (origin, path) = (address?.origin, address?.path ?? "")
        self.call = call
        self.settings = settings
        table = call.resource.tree.context.observed
        inside = Mutex(ObservedState(key: key))
    }

    deinit {
        let (load, keys) = inside.withLock { ($0.load, $0.keys) }
        load?.task?.cancel()
        if let load { table.end(load.id) }
        table.remove(ObjectIdentifier(self), keys)
    }

    /// The resource that observes a call's response, which others may observe already.
    static func shared(for call: Call<Value>) -> ObservedResource {
        let settings = ExchangeSettings(all: call.resource.snapshot.values)
        let key = key(of: call)
        return call.resource.tree.context.observed.find(key) {
            $0.settings == settings
        } orElse: {
            ObservedResource(call, settings, key)
        }
    }

    /// The key of the call's request as it would be sent now, before hooks.
    private static func key(of call: Call<Value>) -> JoinKey? {
        let settings = call.resource.snapshot
        let pipeline = settings.pipeline
        guard
            let draft = try? call.request.draft(settings, pipeline, wanted: Value.self, wantsValue: true),
            let request = try? pipeline.encoding.encode(draft)
        else { return nil }
        return pipeline.tracking.joinKey(request, .joining(""))
    }

    private var clock: any RequestClock { call.resource.snapshot.pipeline.attemptLoop.clock }

    // MARK: For observers

    var state: ResourceState<Value> { inside.withLock(\.shown) }

    /// The states from now on, the latest first; unread states are replaced by later ones.
    func states() -> AsyncStream<ResourceState<Value>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ResourceState<Value>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = inside.withLock { $0.add(continuation) }
        continuation.onTermination = { [weak self] _ in self?.inside.withLock { $0.removeObserver(number) } }
        return stream
    }

    /// Sends a GET unless one is running, or the value is younger than a limit.
    func load(ifOlderThan limit: Duration) {
        let now = clock.moment
        let isYoung = inside.withLock { inside in inside.fresh.map { now - $0 < limit } ?? false }
        if !isYoung { load(for: .use) }
    }

    /// Waits until no GET is running, or the task is cancelled.
    func settled() async {
        for await state in states() where !state.isLoading { return }
    }

    func reload() { load(for: .reload) }

    func storeWasRefreshed(_ request: EncodedRequest) {
        if request.origin == origin, request.url.path == path { load(for: .storeRefreshed) }
    }

    // MARK: Its own GET

    /// Starts a GET; one for a reload takes the place of one that is running, which may have been sent before a change.
    func load(for reason: ObservedLoad.Reason) {
        let key = Self.key(of: call)
        let beginning = CallBeginning { _ in }
        let load = ObservedLoad(id: beginning.id, started: clock.moment, reason: reason)
        guard let begun = inside.withLock({ $0.begin(load, key) }) else { return }
        if let (old, new) = begun.moved { table.move(self, from: old, to: new) }
        if let replaced = begun.replaced {
            table.end(replaced.id)
            replaced.task?.cancel()
        }
        table.begin(load.id, of: self)
        start(load, beginning)
    }

    private func start(_ load: ObservedLoad, _ beginning: CallBeginning) {
        var call = call
        switch load.reason {
        case .reload: call.headers[.cacheControl] = "no-cache"
        // From the cache alone, which would otherwise ask the server again for a response that is old at once.
        case .storeRefreshed: call.headers[.cacheControl] = "only-if-cached, max-stale"
        case .first, .use, .userChanged: break
        }
        let task = Task { [weak self, table, call] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await RequestScope.outside { try await call.send(beginning) })
            } catch {
                result = .failure(error)
            }
            table.end(load.id)
            self?.finish(load, result)
        }
        // It may have ended already.
        inside.withLock { inside in
            if inside.load?.id == load.id { inside.load?.task = task }
        }
    }

    func receiveOwn(_ response: Response, _ key: JoinKey?) {
        let added = inside.withLock { $0.receiveOwn(response, key) }
        if let added { table.add(self, for: added) }
    }

    private func finish(_ load: ObservedLoad, _ result: Result<Value, any Error>) {
        let now = clock.moment
        // The settings may have changed since it was sent, and with them the user.
        let key = Self.key(of: call)
        let hasChanged = inside.withLock { inside in
            let hasChanged = inside.key != key
            inside.finish(load, hasChanged ? .failure(CancellationError()) : result, at: now)
            return hasChanged
        }
        if hasChanged, load.reason != .userChanged { self.load(for: .userChanged) }
    }

    // MARK: Others' GETs

    func receive(_ response: Response, since started: Moment) {
        guard let user = inside.withLock({ $0.beginDecoding(since: started) }) else { return }
        let pipeline = call.resource.snapshot.pipeline
        Task { [weak self] in
            var value: Value?
            if response.status != .notModified,
                let decoded = try? await pipeline.decoding.decode(response, as: Value.self)
            {
                value = try? await pipeline.postProcessing.finish(decoded, of: response)
            }
            self?.take(value, response, of: user, since: started)
        }
    }

    private func take(_ value: Value?, _ response: Response, of user: Int, since started: Moment) {
        let now = clock.moment
        inside.withLock { $0.endDecoding(value, response, of: user, since: started, at: now) }
    }
}
