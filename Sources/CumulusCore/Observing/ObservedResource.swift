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

    /// Waits until no GET is running, or the task is cancelled.
    func settled() async {
        for await state in states() where !state.isLoading { return }
    }

    func reload() { load(for: .reload) }

    func storeWasRefreshed(_ request: EncodedRequest) {
        if request.origin == origin, request.url.path == path { load(for: .storeRefreshed) }
    }

    // MARK: Its own GET

    /// Sends a GET if the reason needs one; see ``ObservedState/begin(_:_:at:)``.
    func load(for reason: ObservedLoad.Reason) {
        let (key, now) = (Self.key(of: call), clock.moment)
        apply { $0.begin(reason, key, at: now) }
    }

    /// Changes the state, and does what follows from it.
    private func apply(_ change: (inout ObservedState<Value>) -> ObservedState<Value>.Step) {
        let step = inside.withLock { inside in
            let step = change(&inside)
            // Under this lock, so that the table has the keys of the latest step.
            if let (old, new) = step.moved { table.move(self, from: old, to: new) }
            if let replaced = step.replaced { table.end(replaced.id) }
            if let begun = step.begun { table.begin(begun.id, of: self) }
            return step
        }
        step.replaced?.task?.cancel()
        if let begun = step.begun { start(begun) }
    }

    private func start(_ load: ObservedLoad) {
        var call = call
        switch load.reason {
        case .reload: call.headers[.cacheControl] = "no-cache"
        // From the cache alone, which would otherwise ask the server again for a response that is old at once.
        case .storeRefreshed: call.headers[.cacheControl] = "only-if-cached, max-stale"
        case .first, .use, .userChanged: break
        }
        let beginning = CallBeginning(load.id, nil, refusal: nil) { _ in }
        let task = Task { [weak self, table, call] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await RequestScope.outside { try await call.send(beginning) })
            } catch {
                result = .failure(error)
            }
            table.end(load.id)
            self?.finish(load.id, result)
        }
        // It may have ended already, or been replaced.
        if !inside.withLock({ $0.attach(task, to: load.id) }) { task.cancel() }
    }

    func receiveOwn(_ response: Response, of id: CallID, _ key: JoinKey?) {
        inside.withLock { inside in
            if let added = inside.receiveOwn(response, of: id, key) { table.add(self, for: added) }
        }
    }

    private func finish(_ id: CallID, _ result: Result<Value, any Error>) {
        // The settings may have changed since it was sent, and with them the user.
        let (key, now) = (Self.key(of: call), clock.moment)
        apply {
            $0.finish(
                id,
                result,
                key,
                at: now,
                orElse: CumulusError(
                    .authorization,
                    stage: .authorization,
                    "the user changed during each of \(ObservedState<Value>.mostUserChanges + 1) GETs"
                )
            )
        }
    }

    // MARK: Others' GETs

    func receive(_ response: Response, _ keys: [JoinKey], since started: Moment) {
        guard let user = inside.withLock({ $0.beginDecoding(keys, since: started) }) else { return }
        let pipeline = call.resource.snapshot.pipeline
        Task { [weak self] in
            var value: Value?
            if response.status != .notModified,
                let decoded = try? await pipeline.decoding.decode(response, as: Value.self)
            {
                value = try? await pipeline.postProcessing.finish(decoded, of: response)
            }
            self?.endDecoding(value, response, of: user, since: started)
        }
    }

    private func endDecoding(_ value: Value?, _ response: Response, of user: Int, since started: Moment) {
        let now = clock.moment
        inside.withLock { $0.endDecoding(value, response, of: user, since: started, at: now) }
    }
}
