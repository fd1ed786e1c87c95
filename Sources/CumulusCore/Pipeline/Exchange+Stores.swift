// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Exchange: StoreRefresher {
    /// Asks the stores about a request, as the interceptors left it.
    ///
    /// - Returns: The request to send, with cookies and proof; or a stored response, which needs neither.
    func begin(
        _ storing: Storing,
        _ plain: EncodedRequest,
        of request: EncodedRequest,
        _ context: Attempting
    ) async throws -> (sent: SentRequest, stored: TransportResponse?) {
        let cookied = cookieJar == nil ? plain : withCookies(plain, after: context.history)
        let store = storeContext(plain, of: request, context.call, context.history, context.use)
        switch try await storing.begin(cookied, store, context.call) {
        case .response(let response, let hop):
            var sent = SentRequest(plain)
            sent.hop = hop
            let shown = context.call.observation?.answered(response) ?? response
            let own = await storing.received(shown, hop, to: cookied, asked: clock.moment, context.call)
            return (sent, await tapped(own, hop, context))
        case .ask(let changed, let hop):
            var shown = changed
            // Errors show the request without its cookies.
            if cookieJar != nil { shown.headers[.cookie] = plain.headers[.cookie] }
            do {
                var sent =
                    provesNothing
                    ? SentRequest(shown)
                    : try await proven(shown, cookied: changed, after: context.history, context.call)
                sent.hop = hop
                return (sent, nil)
            } catch {
                hop.failed()
                throw error
            }
        }
    }

    /// What the stores need to know of an attempt.
    func storeContext(
        _ plain: EncodedRequest,
        of request: EncodedRequest,
        _ call: CallContext,
        _ history: CallHistory = CallHistory(),
        _ use: BodyUse = .memory
    ) -> StoreContext {
        StoreContext(
            partition: storing?.partition(of: plain, after: history) ?? StorePartition(),
            clock: clock,
            isDownload: use == .download,
            isRefresh: call.isRefresh,
            request: request,
            isRedirected: !history.hops.isEmpty,
            refresher: self
        )
    }

    /// Lets the stores see the body as it comes, unless it may be resumed: then they see it whole, above the seam.
    ///
    /// A download's end is known elsewhere.
    func tapped(_ answer: TransportResponse, _ hop: StoreHop, _ context: Attempting) async -> TransportResponse {
        let status = answer.head.status
        let isLater =
            context.use.isRaw
            ? status.kind == .successful : context.use == .memory && status == .ok && interception.isEmpty
        guard !isLater, let taps = hop.takeTaps() else { return answer }
        return await finished(taps, by: answer) ? answer : answer.tapped(by: taps)
    }

    /// The response to deliver, or a store's own instead of a failure; and what still has to see its body.
    func stored(
        _ answer: TransportResponse,
        _ hop: StoreHop,
        _ call: CallContext,
        _ use: BodyUse
    ) async -> (TransportResponse, StoreTaps?) {
        if answer.head.status.code >= 500, let stale = await hop.fallback(after: .status(answer.head)) {
            hop.failed()
            await PeekedBody.drain(answer.body, on: clock, before: call.end)
            return (stale, nil)
        }
        guard let taps = hop.takeTaps() else { return (answer, nil) }
        return use.isRaw ? (answer, taps) : (answer, await finished(taps, by: answer) ? nil : taps)
    }

    /// A store's response instead of an error of the transport, unless the caller wants nothing more.
    func fallback(_ hop: StoreHop, after error: any Error, _ call: CallContext) async -> TransportResponse? {
        hop.failed()
        // A refusal, by a policy or by an authorizer of the server's own proof, is no failure of the service.
        guard (error as? CumulusError)?.stage == .transmission, (try? call.check()) != nil else { return nil }
        if let end = call.end, clock.moment >= end { return nil }
        return await hop.fallback(after: .error(error))
    }

    /// Tells the stores of a body that has nothing to read.
    private func finished(_ taps: StoreTaps, by answer: TransportResponse) async -> Bool {
        guard let end = answer.body.end else { return false }
        await taps.finish(end)
        return true
    }

    /// Sends a request again for a store, as a call of its own, and reads the response to its end.
    func refresh(_ request: EncodedRequest) {
        guard request.body.canBeSent, request.body.isReplayable else { return }
        let start = CallStart(started: clock.moment, deadline: nil, observation: nil)
        let entry = RunningCallList.Entry(
            id: .next(),
            subject: StoreRefresh(bare: request),
            startedAt: start.started,
            label: nil
        )
        // A tree that was shut down sends nothing.
        guard let listing = try? callList.enter(entry) else { return }
        let registration = RequestRegistration(listing: listing, members: [], observation: nil)
        let call = CallContext(start, registration, isRefresh: true)
        Task {
            do {
                try await read(request, call, listing)
                try registration.complete()
            } catch {
                // Nobody waits for it; the store has been told.
                _ = registration.fail(error)
            }
        }
    }

    /// Reads a response to its end, in a task that a cancellation from outside reaches.
    private func read(_ request: EncodedRequest, _ call: CallContext, _ listing: CallListing) async throws {
        let isAttached = withUnsafeCurrentTask { task in
            task.map { callList.attach(.task(.init($0)), to: listing) } ?? false
        }
        guard isAttached else { throw CancellationError() }
        do {
            let end = try await send(request, call, for: .stream)
            while try await end.answer.body.next() != nil {}
            await callList.detachTask(of: listing)
        } catch {
            await callList.detachTask(of: listing)
            throw error
        }
    }
}

/// A refresh in the tree's list.
private struct StoreRefresh: RunningSubject {
    let bare: EncodedRequest
    var origin: Origin { bare.origin }
    var path: String { bare.url.path }
}

extension TransportResponse {
    /// The same, with a body whose bytes the stores see.
    func tapped(by taps: StoreTaps) -> TransportResponse {
        let source = TappedBody(body, taps)
        return TransportResponse(head: head, body: ResponseBody(expectedLength: body.expectedLength, source: source))
    }
}
