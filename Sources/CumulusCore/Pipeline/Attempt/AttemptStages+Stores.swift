// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension AttemptStages {
    /// Looks up a request in the stores, as the interceptors left it.
    ///
    /// If another user has logged in while the request was authorized, the lookup is repeated for that user. A response
    /// must not be stored for the user before.
    ///
    /// - Returns: The request to send, with cookies and credentials; or a stored response, which needs neither.
    func found(
        in stores: StoreStage,
        _ plain: EncodedRequest,
        _ context: AttemptContext
    ) async throws -> (sent: SentRequest, stored: TransportResponse?) {
        try transmission.checkAddress(of: plain)
        let redirects = context.memory.redirects
        var round = 0
        while true {
            round += 1
            var partition = stores.partition(of: plain, after: redirects)
            // The authorizer reports another user each time. Nothing is shared, but conditions and invalidation still
            // work.
            if round == AttemptStages.mostLookups { partition = partition.unshared }
            let lookup = StoreLookup(plain: plain, partition: partition)
            let cookied = authorization?.withCookies(plain, after: redirects) ?? plain
            switch try await stores.begin(cookied, storeContext(lookup, context), context.call) {
            case .response(let stored, let visits):
                var sent = SentRequest(plain)
                (sent.visits, sent.isStored) = (visits, true)
                return (sent, try await seen(stored, visits, cookied, context))
            case .send(let changed, let visits):
                var shown = changed
                // Errors show the request without its cookies.
                if authorization?.cookieJar != nil { shown.headers[.cookie] = plain.headers[.cookie] }
                guard let authorization else {
                    var sent = SentRequest(shown)
                    sent.visits = visits
                    return (sent, nil)
                }
                do {
                    var sent = try await authorization.authorized(
                        shown,
                        cookied: changed,
                        context,
                        notesUsers: true
                    )
                    if stores.isCurrent(lookup, of: sent, after: redirects) {
                        (sent.visits, sent.lookup) = (visits, lookup)
                        return (sent, nil)
                    }
                    visits.failed()
                } catch {
                    visits.failed()
                    throw error
                }
            }
        }
    }

    /// The maximum number of lookups of one attempt while its user changes.
    private static let mostLookups = 3

    /// A response that a store has found, once the visits of the other stores have seen it.
    private func seen(
        _ stored: TransportResponse,
        _ visits: StoreVisits?,
        _ cookied: EncodedRequest,
        _ context: AttemptContext
    ) async throws -> TransportResponse {
        // The exchange may belong to another call.
        stored.body.leaveExchange()
        let shown = context.call.observation?.responded(stored) ?? stored
        guard let stores, let visits else { return shown }
        let now = clock.moment.instant
        let exchange = StoreExchange(request: cookied, requestTime: now, responseTime: now)
        return await tapped(await stores.received(shown, visits, in: exchange, context.call), visits)
    }

    /// The context of an attempt for the stores.
    func storeContext(_ lookup: StoreLookup, _ context: AttemptContext) -> StoreContext {
        let (call, memory) = (context.call, context.memory)
        return StoreContext(
            partition: lookup.partition.isShareable ? lookup.partition : lookup.partition.unshared,
            clock: clock,
            isDownload: context.options.use == .download,
            isRefresh: call.isRefresh,
            mayWaitForOthers: !context.isRepeated,
            longestWait: transmission.longestWait,
            request: context.request,
            user: lookup.partition,
            identity: stores?.localIdentity(of: lookup.plain, after: memory.redirects) ?? StorePartition(),
            memory: memory,
            draft: call.observation?.draft,
            refresher: context.refresher
        )
    }

    /// Passes the body of a redirect to the stores, since no other code reads it.
    ///
    /// The body of any other response is passed where it is delivered, outside a body that resumes it.
    func tapped(_ response: TransportResponse, _ visits: StoreVisits) async -> TransportResponse {
        guard response.head.status.kind == .redirection, let taps = visits.takeTaps(of: response.body) else {
            return response
        }
        return await finished(taps, by: response) ? response : response.tapped(by: taps, .all)
    }

    /// The taps that still have to see the body of a response that is delivered, if its reader accepts up to `limit`
    /// bytes.
    func taps(
        of response: TransportResponse,
        _ visits: StoreVisits,
        _ use: BodyUse,
        upTo limit: Int
    ) async -> StoreTaps? {
        guard let taps = visits.takeTaps(of: response.body) else { return nil }
        // The end of a download is reported elsewhere.
        if use.isRaw, response.head.status.kind == .successful { return taps }
        if await finished(taps, by: response) { return nil }
        // A small body has often arrived as a whole. Only its reader finds out whether a coded one can be decoded.
        guard let (bytes, end) = response.body.whole, bytes.count <= limit,
            !response.head.mayBeCoded || !response.head.headers.contains(.contentEncoding)
        else { return taps }
        await taps.receive(bytes)
        await taps.finish(end)
        return nil
    }

    /// A store's response that replaces a failure of the service, unless the caller has stopped waiting.
    func fallback(
        _ visits: StoreVisits?,
        after result: Result<TransportResponse, any Error>,
        _ call: CallContext
    ) async -> TransportResponse? {
        guard let visits else { return nil }
        let failure: StoreFailure
        switch result {
        case .success(let response):
            guard response.head.status.code >= 500 else { return nil }
            failure = .status(response.head)
        case .failure(let error):
            visits.failed()
            // A refusal, by a policy, by TLS or by an authorizer, is not a failure of the service.
            guard let error = error as? CumulusError, error.stage == .transmission, error.isTransient else {
                return nil
            }
            failure = .error(error)
        }
        guard (try? call.check()) != nil, call.end.map({ clock.moment < $0 }) ?? true,
            let stale = await visits.fallback(after: failure)
        else { return nil }
        visits.failed()
        if case .success(let response) = result {
            await PeekedBody.drain(response.body, on: clock, before: call.end)
        }
        stale.body.leaveExchange()
        return stale
    }

    /// Reports to the stores the end of a body that has no bytes to read.
    private func finished(_ taps: StoreTaps, by response: TransportResponse) async -> Bool {
        guard let end = response.body.end else { return false }
        await taps.finish(end)
        return true
    }
}
