// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

// The requests of an event stream, and the check of their responses.

extension EventConnection {
    /// The call for the next connection, with the settings that its resource has now.
    func prepared(_ call: Call<Response>) -> Call<Response> {
        var call = call
        let settings = call.resource.snapshot
        let inherited = settings.value(HeadersKey.self)
        if !options.followsList, call.headers.isUnsaid(.accept), inherited.isUnsaid(.accept) {
            let events = MediaType.eventStream.description
            call.headers[.accept] = options.acceptsJSON ? "\(MediaType.json), \(events)" : events
        }
        if call.headers.isUnsaid(.cacheControl), inherited.isUnsaid(.cacheControl),
            settings.value(CachePolicyKey.self).directive == nil
        {
            call.headers[.cacheControl] = "no-store"
        }
        cursor?.change(&call)
        if hasConnected, !options.followsList {
            if options.reconnection == .byGet { (call.method, call.payload) = (.get, .none) }
            // A redirect to another origin removes it, like all fields that may reveal something.
            let canBeSent = !lastEventID.isEmpty && HTTPField.isValidValue(lastEventID)
            call.headers[.lastEventID] = canBeSent ? lastEventID : nil
        }
        let left = settings.value(DeadlineKey.self).map { $0 - elapsed(on: call.resource.clock) }
        let headTime = settings.value(ResponseTimeoutKey.self) ?? settings.value(TimeoutKey.self)
        return call.with {
            // A stream may be silent for any time after its head, unless `heartbeat:` limits it.
            ($0.responseTimeout, $0.timeout, $0.minimumRate) = (headTime, nil, nil)
            if let left { $0.deadline = left }
            // The first connection is retried like any other call. The wait before further ones grows here.
            if hasConnected { $0.retry = RetryPolicy(limit: 0) }
        }
    }

    private func elapsed(on clock: any RequestClock) -> Duration { started.map { clock.moment - $0 } ?? .zero }

    func requirePositiveHeartbeat(_ opened: ResponseStream) throws {
        guard let heartbeat = options.heartbeat, heartbeat <= .zero else { return }
        opened.cancel()
        let failure = TransportFailure(.invalidUse, "the heartbeat of an event stream must be longer than zero")
        throw CumulusError(failure, stage: .delivery, request: opened.request)
    }
}

extension Headers.Name {
    /// `Last-Event-ID`, WHATWG HTML, section "Server-sent events".
    static let lastEventID = Self("Last-Event-ID")
}
