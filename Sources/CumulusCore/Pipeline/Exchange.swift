// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3, encoded request -> response: the loop of attempts.
final class Exchange: Sendable {
    /// `nil` without conditions.
    let conditions: NamedConditions?
    /// `nil` without stores.
    let storing: Storing?
    let limit: Limit
    /// The limiter where requests wait for their turn; `nil` if nothing limits their rate.
    let rateLimiter: RateLimiter?
    let cookieJar: CookieJar?
    let interception: Interception
    let authorization: Authorization
    /// Whether requests are sent without cookies and proof.
    let provesNothing: Bool
    /// Whether no interceptor, store or proof has a part in an attempt.
    let hasNoHooks: Bool
    let transmission: Transmission
    let recovery: RecoveryQuestions
    let contentDecoding: ContentDecoding
    let delivery: Delivery
    let progress: ProgressReporting
    let judge: ResponseJudge
    let throttling: Throttling
    /// Whether a body that breaks off is resumed.
    let resumes: Bool
    let callList: RunningCallList
    private let coders: CoderRegistry
    /// Whether nothing stands between the loop and the transport: no hook, store, proof, limit or rate limit.
    private let isPlain: Bool

    init(
        _ context: TreeContext,
        _ transport: any Transport,
        settings: SettingValues,
        limiters: SettingsSnapshot.Limiters,
        acceptedCodings: String?
    ) {
        conditions = NamedConditions(settings, acceptedCodings: acceptedCodings)
        limit = Limit(limiter: limiters.limit)
        rateLimiter = limiters.rateLimiter
        cookieJar = settings.value(CookiesKey.self)
        interception = Interception(interceptors: settings.value(InterceptorsKey.self))
        authorization = Authorization(settings)
        callList = context.callList
        provesNothing = cookieJar == nil && authorization.authorizers.isEmpty
        transmission = Transmission(transport: transport, settings: settings)
        storing = Storing(settings, transport, transmission, authorization)
        hasNoHooks = provesNothing && interception.isEmpty && storing == nil
        contentDecoding = ContentDecoding(settings, transport: transport)
        recovery = RecoveryQuestions(context, settings, asking: authorization, decodedBy: contentDecoding)
        throttling = Throttling(settings)
        resumes = settings.value(ResumesKey.self)
        progress = ProgressReporting(clock: settings.value(ClockKey.self))
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        coders = settings.coders
        judge = ResponseJudge(settings)
        isPlain = hasNoHooks && limit.limiter == nil && rateLimiter == nil && !throttling.isOn
    }

    var clock: any RequestClock { transmission.clock }

    /// Makes all attempts and takes the body into memory.
    func perform(_ request: EncodedRequest, _ call: CallContext) async throws -> Response {
        var end = try await send(request, call, for: .memory)
        while true {
            do {
                let response = try await collect(end)
                call.observation?.delivered(response)
                return response
            } catch {
                end = try await repeated(end, after: error)
            }
        }
    }

    /// Makes all attempts and leaves the body to its reader; throws an unsuccessful response unless it is wanted.
    func open(_ request: EncodedRequest, _ call: CallContext, anyStatus: Bool) async throws -> ResponseStream {
        let end = try await send(request, call, for: .stream)
        guard anyStatus || judge.accepts(end.answer.head.status) else {
            let response = try await collect(end)
            throw response.failure ?? judge.statusError(of: response)
        }
        call.observation?.streaming(end.answer.head)
        var exchanges: (@Sendable () -> CallExchanges)?
        if let body = end.resuming { exchanges = { body.exchanges } }
        return ResponseStream(
            head: end.answer.head,
            request: end.request,
            callHistory: end.history,
            started: call.started,
            answered: clock.moment,
            source: TrackedBody(end.answer.body, call.observation) { [self] error in
                recorded(Stage.describe(error, .delivery, .transport, request: end.request), end)
            },
            expectedLength: end.answer.body.expectedLength,
            wire: end.answer.body.wire,
            exchanges: exchanges,
            coders: coders
        )
    }

    /// Sends the request, asks what follows, and sends again as long as one says so.
    ///
    /// Without `mayWait`, ``Limit/Full`` is thrown if a limit has no free slot; `history` is the history of a request
    /// that another one continues, and `permit` is for the next one. The missing rest of a response (`isRest`) gets no
    /// conditions and asks no store; without `retries`, the caller decides what follows a failure.
    func send(
        _ request: EncodedRequest,
        _ call: CallContext,
        for use: BodyUse,
        isRest: Bool = false,
        mayWait: Bool = true,
        retries: Bool = true,
        after history: CallHistory = CallHistory(),
        by permit: consuming SendPermit? = nil
    ) async throws -> ReceivedResponse {
        var (next, history) = (request, history)
        var permit = permit ?? Recovery.start(after: history)
        if let conditions, !isRest { next = try conditions.added(to: request) }
        while true {
            try call.check()
            let held = limit.limiter == nil ? nil : held
            let isAlone = isPlain && call.observation == nil
            var context = Attempting(call: call, use: use, history: history, held: held)
            (context.isRest, context.mayWait) = (isRest, mayWait)
            let (result, sent) =
                isAlone
                ? (await plainAttempt(next, context, by: permit), nil)
                : await fullAttempt(next, context, &history, by: permit)
            if let sent { next = next.guarded(as: sent) }
            // A redirect may repeat an item that an authorizer has added, at an origin without an authorizer.
            if let names = sent?.hiddenNames, !names.isEmpty { next = next.hiding(names) }
            do {
                let again = retries && sent?.isStored != true
                let isUnusableRevalidation = sent?.hop?.repeats == true
                let decision =
                    isUnusableRevalidation || recovery.concerns(result, retries: again)
                    ? try await recovery.decide(result, of: next, sentAs: sent, context, &history, retries: again)
                    : .deliver(try result.get())
                switch consume decision {
                case .deliver(let answer):
                    held?.end()
                    return try await delivered(answer, sent, of: next, call, after: history, for: use)
                case .again(let order):
                    sent?.hop?.failed()
                    try await call.pause(for: order.delay, on: clock, before: order.request)
                    history.begin(at: clock.moment)
                    next = order.request
                    permit = order.permit
                }
            } catch {
                if let end = try await stale(sent?.hop, call, after: .failure(error), of: next, history, for: use) {
                    held?.end()
                    return end
                }
                if use == .continuation { throw RestFailure(error, history, next, wasSent: hasNoHooks || sent != nil) }
                throw recorded(error, after: history, of: next, call)
            }
        }
    }

    /// What the call goes on with: the response, or a store's in the place of a failure of the service.
    private func delivered(
        _ answer: TransportResponse,
        _ sent: SentRequest?,
        of request: EncodedRequest,
        _ call: CallContext,
        after history: CallHistory,
        for use: BodyUse
    ) async throws -> ReceivedResponse {
        let isStored = sent?.isStored == true
        let source = (isOwn: interception.isEmpty || isStored || sent?.body === answer.body, isStored: isStored)
        guard let hop = sent?.hop else {
            return try arrive(answer, of: request, call, after: history, for: use, from: source)
        }
        if let end = try await stale(hop, call, after: .success(answer), of: request, history, for: use) { return end }
        let taps = await taps(of: answer, hop, use)
        return try arrive(answer, of: request, call, after: history, for: use, seenBy: taps, from: source)
    }

    /// A store's response in the place of a failure of the service, which its history has.
    private func stale(
        _ hop: StoreHop?,
        _ call: CallContext,
        after result: Result<TransportResponse, any Error>,
        of request: EncodedRequest,
        _ history: CallHistory,
        for use: BodyUse
    ) async throws -> ReceivedResponse? {
        guard let stored = await fallback(hop, after: result, call) else { return nil }
        var history = history
        let outcome = AttemptRecord.Outcome(result)
        history.fallBack(outcome, of: request, at: clock.moment, call.started, after: result.earlier)
        return try arrive(stored, of: request, call, after: history, for: use)
    }

    /// What gives an attempt's slots back, if interceptors get its responses, or authorizers may send requests for
    /// challenges.
    private var held: HeldResponses? {
        interception.isEmpty && !recovery.mayWait ? nil : HeldResponses(isOpen: !interception.isEmpty)
    }

    /// The end of the attempts: the last request, and its response with an unread body.
    struct ReceivedResponse: Sendable {
        let request: EncodedRequest
        var answer: TransportResponse
        /// The history when the response arrived.
        let history: CallHistory
        let call: CallContext
        /// Resumes the body after an interruption.
        var resuming: ResumingBody?

        /// The call's exchanges, with those that were made while the body was read.
        var exchanges: CallExchanges {
            resuming?.exchanges ?? CallExchanges(history, request, after: answer.head.earlier)
        }

        /// The stores that wait for a download's end.
        var taps: StoreTaps?
        /// Whether the body is as it came, so that ranges count its bytes.
        var isOwn = true
        /// Whether a store gave it: that it breaks off says nothing of the server.
        var isStored = false
    }

    /// The use of a successful response's body.
    enum BodyUse: Sendable, Hashable {
        /// The body is taken into memory.
        case memory
        /// The body is delivered as it arrives, decoded.
        case stream
        /// The body goes to a file as it arrives; it is counted elsewhere.
        case download
        /// The body continues an interrupted one.
        case continuation

        var isRaw: Bool { self == .download || self == .continuation }
    }

    /// The response prepared for its use: throttled, resumable, counted, decoded.
    ///
    /// A body that an interceptor has replaced, or that a store gave (by default), isn't resumed: ranges count others.
    private func arrive(
        _ answer: consuming TransportResponse,
        of request: EncodedRequest,
        _ call: CallContext,
        after history: CallHistory,
        for use: BodyUse,
        seenBy taps: StoreTaps? = nil,
        from sent: (isOwn: Bool, isStored: Bool) = (true, true)
    ) throws -> ReceivedResponse {
        var end = ReceivedResponse(request: request, answer: answer, history: history, call: call)
        (end.isOwn, end.isStored) = (sent.isOwn, sent.isStored)
        if throttling.isOn { throttling.throttle(&end.answer, of: call) }
        if use.isRaw, end.answer.head.status.kind == .successful {
            end.taps = taps
            return end
        }
        if !use.isRaw, sent.isOwn, !sent.isStored { resume(&end, upTo: use == .memory ? Int64(delivery.limit) : .max) }
        if let taps { end.answer = end.answer.tapped(by: taps, .bytes) }
        if call.observation != nil { progress.count(&end.answer, of: request, call) }
        do {
            try contentDecoding.decode(&end.answer, of: request)
            if let taps { end.answer = end.answer.tapped(by: taps, .end) }
            return end
        } catch {
            end.answer.body.cancel()
            let error = Stage.describe(error, .delivery, .contentCoding, request: request)
            guard !judge.accepts(end.answer.head.status) else { throw error }
            throw (error as? CumulusError)?.of(response(of: end)) ?? error
        }
    }

    /// Takes a body into memory; for an unsuccessful response only its beginning.
    func collect(_ end: ReceivedResponse) async throws -> Response {
        let isSuccess = judge.accepts(end.answer.head.status)
        let limit = isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit)
        let collected: CollectedBody
        do {
            if let whole = try delivery.whole(of: end.answer.body, upTo: limit, cutsOff: !isSuccess) {
                collected = whole
            } else {
                collected = try await delivery.collect(end.answer.body, upTo: limit, cutsOff: !isSuccess)
            }
        } catch let broken as Delivery.BrokenOff {
            // The server's response is kept: its status, its head, and the part of the body that arrived.
            let error = Stage.describe(broken.cause, .delivery, .transport, request: end.request)
            throw (error as? CumulusError)?.of(response(of: end, broken.kept)) ?? error
        } catch {
            throw Stage.describe(error, .delivery, .transport, request: end.request)
        }
        return response(of: end, collected)
    }

    /// Makes a response from the received one and the part of its body that was kept.
    func response(
        of end: ReceivedResponse,
        _ collected: CollectedBody = CollectedBody(bytes: .empty, isComplete: false)
    ) -> Response {
        let exchanges = end.exchanges
        return Response(
            .init(
                head: end.resuming == nil ? end.answer.head : end.answer.head.after(exchanges.earlier),
                body: collected,
                end: end.answer.body.end ?? ExchangeEnd(),
                request: end.request,
                callHistory: exchanges.history,
                started: end.call.started,
                endedAt: clock.moment,
                coders: coders,
                judge: judge
            )
        )
    }
}
