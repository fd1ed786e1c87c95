// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The loop that sends a request, repeats it where recovery says so, and returns the response.
final class AttemptLoop: Sendable {
    /// `nil` without conditions.
    let conditions: NamedConditions?
    /// `nil` without stores.
    let stores: StoreStage?
    let limit: Limit
    /// The rate limit's limiter; `nil` if nothing limits the rate of requests.
    let rateLimiter: RateLimiter?
    let cookieJar: CookieJar?
    let interceptors: InterceptorStage
    let authorization: Authorization
    /// Whether requests are sent without cookies and credentials.
    let addsNoCredentials: Bool
    /// Whether attempts involve no interceptor, store, cookie or authorizer.
    let hasNoHooks: Bool
    let transmission: Transmission
    let recovery: RecoveryDriver
    let contentDecoding: ContentDecoding
    let delivery: Delivery
    let progress: ProgressReporting
    let judge: ResponseJudge
    let bandwidth: BandwidthStage
    /// Whether an interrupted body is resumed.
    let resumes: Bool
    let callList: RunningCallList
    private let coders: CoderRegistry
    /// Whether the loop passes requests directly to the transport: without hooks, stores, credentials, limits and rate
    /// limits.
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
        interceptors = InterceptorStage(interceptors: settings.value(InterceptorsKey.self))
        authorization = Authorization(settings)
        callList = context.callList
        addsNoCredentials = cookieJar == nil && authorization.authorizers.isEmpty
        transmission = Transmission(transport: transport, settings: settings)
        stores = StoreStage(settings, transport, transmission, authorization)
        hasNoHooks = addsNoCredentials && interceptors.isEmpty && stores == nil
        contentDecoding = ContentDecoding(settings, transport: transport)
        recovery = RecoveryDriver(context, settings, asking: authorization, decodedBy: contentDecoding)
        bandwidth = BandwidthStage(settings)
        resumes = settings.value(ResumesKey.self)
        progress = ProgressReporting(clock: settings.value(ClockKey.self))
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        coders = settings.coders
        judge = ResponseJudge(settings)
        isPlain = hasNoHooks && limit.limiter == nil && rateLimiter == nil && !bandwidth.isOn
    }

    var clock: any RequestClock { transmission.clock }

    /// Makes all attempts and reads the body into memory.
    func perform(_ request: EncodedRequest, _ call: CallContext) async throws -> Response {
        var end = try await send(Recovery.first(request), call, for: SendOptions(.memory))
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

    /// Makes all attempts and leaves the body unread; throws an unsuccessful response as an error, unless any status is
    /// accepted.
    func open(_ request: EncodedRequest, _ call: CallContext, anyStatus: Bool) async throws -> ResponseStream {
        let end = try await send(Recovery.first(request), call, for: SendOptions(.stream))
        guard anyStatus || judge.accepts(end.response.head.status) else {
            let response = try await collect(end)
            throw response.failure ?? judge.statusError(of: response)
        }
        call.observation?.streaming(end.response.head)
        let answered = clock.moment
        return ResponseStream(
            end.response,
            to: end.request,
            after: end.memory.redirects,
            source: TrackedBody(end, on: clock),
            coders: coders
        ) { facts in
            call.record.attempts(at: answered, facts, of: end.lastNumber)
        }
    }

    /// The use of a response, and what its attempts may do.
    struct SendOptions: Sendable {
        let use: BodyUse
        /// Whether it requests the remaining bytes of a response, which involves neither conditions nor stores.
        var isRest = false
        /// Whether it may wait at a limit; otherwise ``Limit/Full`` is thrown if a limit has no free slot.
        var mayWait = true
        /// Whether recovery may send it again after a failure; otherwise the caller decides.
        var retries = true

        init(_ use: BodyUse) { self.use = use }
    }

    /// Sends the request, lets recovery decide what follows, and repeats this until a response is delivered.
    ///
    /// `memory` is the memory of the attempts before, if the request continues another one.
    func send(
        _ first: consuming Recovery.Order,
        _ call: CallContext,
        for options: SendOptions,
        after memory: Recovery.Memory = Recovery.Memory()
    ) async throws -> ReceivedResponse {
        var (next, memory) = (first.request, memory)
        var approval = first.approval
        var began = approval.reason == .call && call.record.count == 0 ? nil : clock.moment
        if let conditions, !options.isRest { next = try conditions.added(to: next) }
        while true {
            try call.check()
            let held = limit.limiter == nil ? nil : held
            let isAlone = isPlain && call.observation == nil
            var context = AttemptContext(call: call, options: options, memory: memory, reason: approval.reason)
            (context.held, context.began, context.first) = (held, began, call.record.count + 1)
            if !interceptors.isEmpty { context.note = SentRequestNote() }
            var (result, sent) =
                isAlone
                ? (await plainAttempt(next, context, by: approval), nil) : await attempt(next, context, by: approval)
            if let sent { next = next.guarded(as: sent) }
            // A redirect may repeat an item that an authorizer has added, at an origin without an authorizer.
            if let names = sent?.hiddenNames, !names.isEmpty { next = next.hiding(names) }
            context.number = number(of: &result, sent, next, context)
            var isRepeated = context.first > 1 || context.reason != .call
            do {
                let again = options.retries && sent?.isStored != true
                let isUnusableRevalidation = sent?.visits?.needsRepetition == true
                let decision =
                    isUnusableRevalidation || recovery.concerns(result, retries: again)
                    ? try await recovery.decide(result, of: next, sentAs: sent, context, &memory, retries: again)
                    : .deliver(try result.get())
                switch consume decision {
                case .deliver(let response):
                    held?.end()
                    return try await delivered(response, sent, of: next, context)
                case .again(let order):
                    sent?.visits?.failed()
                    isRepeated = true
                    try await call.pause(for: order.delay, on: clock, before: order.request)
                    began = clock.moment
                    next = order.request
                    approval = order.approval
                }
            } catch {
                if let end = try await stale(sent?.visits, after: .failure(error), of: next, context) {
                    held?.end()
                    return end
                }
                throw isRepeated ? overdue(error, next, context) : error
            }
        }
    }

    /// The deadline's error, if the deadline has cancelled a repetition. The record contains it as well.
    private func overdue(_ error: any Error, _ request: EncodedRequest, _ context: AttemptContext) -> any Error {
        let failure = context.call.overdue(error, on: clock, request)
        guard error is CancellationError, var described = failure as? CumulusError else { return failure }
        let (call, number) = (context.call, context.number)
        if number == 0 {
            described.exchange = call.record.add(context.reason, request, .failed(failure), from: context.began)
        } else {
            if call.record.last(since: number)?.isAnswered == false {
                call.record.breakOff(number, failure, at: clock.moment)
            }
            described.exchange = number
        }
        return described
    }

    /// The response with which the call continues: the attempt's own, or a store's that replaces a failure of the
    /// service.
    private func delivered(
        _ response: TransportResponse,
        _ sent: SentRequest?,
        of request: EncodedRequest,
        _ context: AttemptContext
    ) async throws -> ReceivedResponse {
        let isStored = sent?.isStored == true
        guard let visits = sent?.visits else { return try arrive(response, of: request, context, isStored: isStored) }
        if let end = try await stale(visits, after: .success(response), of: request, context) { return end }
        let taps = await taps(of: response, visits, context.options.use)
        return try arrive(response, of: request, context, seenBy: taps, isStored: isStored)
    }

    /// The number of an ended attempt's entry in the call's record: that of its last exchange, or of a new entry if it
    /// sent nothing.
    private func number(
        of result: inout Result<TransportResponse, any Error>,
        _ sent: SentRequest?,
        _ request: EncodedRequest,
        _ context: AttemptContext
    ) -> Int {
        let isStored = sent?.isStored == true
        let own =
            switch result {
            case .success(let response): response.body.exchange
            case .failure(let error): (error as? CumulusError)?.exchange
            }
        if let own, own >= context.first { return own }
        let last = context.call.record.last(since: context.first)
        switch result {
        // An interceptor has made another response from it.
        case .success: if let last, last.isAnswered, !isStored { return last.number }
        case .failure(let error): if !(error is CumulusError) { return last?.number ?? 0 }
        }
        let number = context.call.record.add(
            last == nil || context.note == nil ? context.reason : .interceptor,
            request,
            AttemptRecord.Outcome(result),
            from: context.began,
            at: isStored ? nil : clock.moment
        )
        if case .failure(var error as CumulusError) = result {
            error.exchange = number
            result = .failure(error)
        }
        return number
    }

    /// A store's response that replaces a failure of the service, with an entry of its own in the record.
    private func stale(
        _ visits: StoreVisits?,
        after result: Result<TransportResponse, any Error>,
        of request: EncodedRequest,
        _ context: AttemptContext
    ) async throws -> ReceivedResponse? {
        let call = context.call
        guard let stored = await fallback(visits, after: result, call) else { return nil }
        var context = context
        let now = clock.moment
        call.record.close(context.number, at: now)
        context.number = call.record.add(.fallback, request, .answered(stored.head.status), from: now)
        return try arrive(stored, of: request, context, isStored: true)
    }

    /// Releases an attempt's slots while user code holds its responses: interceptors, or authorizers that may send
    /// requests for challenges. `nil` if neither is possible.
    private var held: HeldResponses? {
        interceptors.isEmpty && !recovery.mayWait ? nil : HeldResponses(isOpen: !interceptors.isEmpty)
    }

    /// The end of the attempts: the last request, and its response with an unread body.
    struct ReceivedResponse: Sendable {
        let request: EncodedRequest
        var response: TransportResponse
        /// The memory of the attempts that led to it.
        let memory: Recovery.Memory
        let call: CallContext
        /// The number of its exchange in the call's record.
        let number: Int
        /// Resumes the body after an interruption.
        var resuming: ResumingBody?

        /// The stores that wait for a download's end.
        var taps: StoreTaps?
        /// Whether a store has returned it. If its body breaks off, the server hasn't failed.
        let isStored: Bool

        /// The number of the exchange that delivered the last bytes of its body.
        var lastNumber: Int { resuming?.number ?? number }

        /// Records that its body broke off.
        func breakOff(_ error: any Error, at now: Moment) {
            if resuming?.isBroken != true { call.record.breakOff(lastNumber, error, at: now) }
        }
    }

    /// The use of a successful response's body.
    enum BodyUse: Sendable, Hashable {
        /// The body is read into memory.
        case memory
        /// The body is delivered as it arrives, decoded.
        case stream
        /// The body goes to a file as it arrives; its bytes are counted elsewhere.
        case download
        /// The body continues an interrupted one.
        case continuation

        var isRaw: Bool { self == .download || self == .continuation }
    }

    /// Prepares the response for its use: throttles its body, makes it resumable, counts it, and decodes it.
    ///
    /// A body that an interceptor has replaced or a store has returned isn't resumed, since ranges count other bytes.
    private func arrive(
        _ response: consuming TransportResponse,
        of request: EncodedRequest,
        _ context: AttemptContext,
        seenBy taps: StoreTaps? = nil,
        isStored: Bool
    ) throws -> ReceivedResponse {
        let (call, use) = (context.call, context.options.use)
        var end = ReceivedResponse(
            request: request,
            response: response,
            memory: context.memory,
            call: call,
            number: context.number,
            isStored: isStored
        )
        if bandwidth.isOn { bandwidth.throttle(&end.response, of: call) }
        if use.isRaw, end.response.head.status.kind == .successful {
            end.taps = taps
            return end
        }
        if !use.isRaw, !isStored { resume(&end, upTo: use == .memory ? Int64(delivery.limit) : .max) }
        if let taps { end.response = end.response.tapped(by: taps, .bytes) }
        if call.observation != nil { progress.count(&end.response, of: request, call) }
        do {
            try contentDecoding.decode(&end.response, of: request)
            if let taps { end.response = end.response.tapped(by: taps, .end) }
            return end
        } catch {
            end.response.body.cancel()
            let error = Stage.describe(error, .delivery, .contentCoding, request: request)
            call.record.breakOff(context.number, error, at: clock.moment)
            guard !judge.accepts(end.response.head.status) else { throw error }
            throw (error as? CumulusError)?.of(self.response(of: end)) ?? error
        }
    }

    /// Reads a body into memory; of an unsuccessful response only the beginning.
    func collect(_ end: ReceivedResponse) async throws -> Response {
        let isSuccess = judge.accepts(end.response.head.status)
        let limit = isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit)
        let collected: CollectedBody
        do {
            if let whole = try delivery.whole(of: end.response.body, upTo: limit, cutsOff: !isSuccess) {
                collected = whole
            } else {
                collected = try await delivery.collect(end.response.body, upTo: limit, cutsOff: !isSuccess)
            }
        } catch let broken as Delivery.BrokenOff {
            // The error contains the server's response: its status, its head, and the part of the body that arrived.
            let error = Stage.describe(broken.cause, .delivery, .transport, request: end.request)
            end.breakOff(error, at: clock.moment)
            throw (error as? CumulusError)?.of(response(of: end, broken.kept)) ?? error
        } catch {
            let error = Stage.describe(error, .delivery, .transport, request: end.request)
            end.breakOff(error, at: clock.moment)
            throw error
        }
        return response(of: end, collected)
    }

    /// Makes a response from the received one and the part of its body that was read.
    func response(
        of end: ReceivedResponse,
        _ collected: CollectedBody = CollectedBody(bytes: .empty, isComplete: false)
    ) -> Response {
        var parts = Response.Parts(
            head: end.response.head,
            body: collected,
            end: end.response.body.end ?? ExchangeEnd(),
            request: end.request,
            redirects: end.memory.redirects,
            started: end.call.started,
            endedAt: clock.moment,
            coders: coders,
            judge: judge
        )
        // For a single exchange without hooks, the response itself contains all data of its entry.
        if !end.call.record.isPlain || !interceptors.isEmpty || stores != nil {
            parts.take(end.call.record, of: end.lastNumber, at: parts.endedAt)
        }
        return Response(parts)
    }
}
