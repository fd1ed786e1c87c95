// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension AttemptLoop: StoreRefresher {
    /// Sends a request again for a store, as a call of its own, and reads the response to its end.
    func refresh(
        _ request: EncodedRequest,
        of draft: RequestDraft?,
        after memory: Recovery.Memory,
        onEnd: @escaping @Sendable () -> Void
    ) {
        guard request.body.canBeSent, request.body.isReplayable else { return onEnd() }
        let id = CallID.next()
        // The observers of the settings, without the observer of the call's own progress.
        let observers = draft?.settings.pipeline.observers
        let observation = draft.flatMap { draft in
            observers.map { CallObservation($0, of: draft.numbered(id), since: clock.moment, on: clock) }
        }
        // Only the deadline ends a response that arrives too slowly, since no caller waits for it.
        let start = CallStart(started: clock.moment, deadline: transmission.deadline, observation: observation)
        let entry = RunningCallList.Entry(
            id: id,
            subject: StoreRefresh(bare: request),
            startedAt: start.started,
            label: nil
        )
        // A tree that was shut down sends nothing.
        guard let listing = try? callList.enter(entry) else { return onEnd() }
        let registration = CallRegistration(listing: listing, members: [], observation: observation)
        let call = CallContext(start, registration, isRefresh: true)
        observation?.tell(.started)
        Task {
            do {
                try await callList.attaching(listing) {
                    // This runs before the call leaves the list, so that code that waits for the list to be empty finds
                    // the refresh ended.
                    defer { onEnd() }
                    let order = Recovery.first(request)
                    let end = try await send(order, call, for: SendOptions(.stream), after: memory)
                    observation?.streaming(end.response.head)
                    var room = delivery.limit
                    while room >= 0, let chunk = try await end.response.body.next() {
                        room -= chunk.count
                        observation?.read(chunk.count)
                    }
                    end.response.body.cancel()
                }
                try registration.complete()
                observed.storeWasRefreshed(request)
            } catch {
                // No caller waits for the error, and the store has been notified.
                _ = registration.fail(call.record.completed(error, at: clock.moment))
            }
        }
    }
}

/// A refresh in the tree's list.
private struct StoreRefresh: RunningSubject {
    let bare: EncodedRequest
    var origin: Origin { bare.origin }
    var path: String { bare.url.path }
}
