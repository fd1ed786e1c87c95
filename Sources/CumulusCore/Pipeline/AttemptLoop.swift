// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The loop that sends a request, repeats it if recovery decides to, and returns the response.
final class AttemptLoop: Sendable {
    /// `nil` without conditions.
    let conditions: NamedConditions?
    let stages: AttemptStages
    let recovery: RecoveryDriver
    let contentDecoding: ContentDecoding
    let delivery: Delivery
    let judge: ResponseJudge
    /// Whether an interrupted body is resumed.
    let resumes: Bool
    let callList: RunningCallList
    let observed: ObservedRequests
    let coders: CoderRegistry

    init(
        _ context: TreeContext,
        _ transport: any Transport,
        settings: SettingValues,
        limiters: SettingsSnapshot.Limiters,
        acceptedCodings: String?
    ) {
        let authorization = Authorization(settings)
        conditions = NamedConditions(settings, acceptedCodings: acceptedCodings)
        contentDecoding = ContentDecoding(settings, transport: transport)
        recovery = RecoveryDriver(context, settings, asking: authorization, decodedBy: contentDecoding)
        stages = AttemptStages(transport, settings, limiters, authorization, recovery.rules.redirect)
        delivery = Delivery(limit: max(0, settings.value(MaxBodySizeKey.self)))
        judge = ResponseJudge(settings)
        resumes = settings.value(ResumesKey.self)
        callList = context.callList
        observed = context.observed
        coders = settings.coders
    }

    var transmission: Transmission { stages.transmission }
    var clock: any RequestClock { transmission.clock }

    /// Makes all attempts and reads the body into memory.
    // Inlined, as in `AttemptStages.attempt`.
    @inline(__always)
    func perform(_ request: EncodedRequest, _ call: CallContext) async throws -> Response {
        var end = try await send(Recovery.first(request), call, for: SendOptions(.memory))
        while true {
            do {
                // Without a wait if possible, as for most responses.
                let response = if let whole = try whole(end) { whole } else { try await collect(end) }
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
            coders: coders,
            limit: delivery.limit,
            judge: judge,
            clock: clock
        ) { facts in
            call.record.attempts(at: answered, facts, of: end.lastNumber)
        }
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
        if let conditions, !options.isContinuation { next = try conditions.added(to: next) }
        let scope = scope(of: next, for: options.use)
        while true {
            try call.check()
            let held = stages.limits?.limit.limiter == nil ? nil : held
            var context = AttemptContext(next, call, options, memory, for: approval.reason, refresher: self)
            (context.held, context.began, context.first) = (held, began, call.record.count + 1)
            context.scope = scope
            if stages.interceptors != nil { context.note = SentRequestNote() }
            var end = await stages.attempt(context, by: approval)
            end.retries = options.retries && end.sent?.isStored != true
            context.number = number(of: &end, context)
            context.user = end.sent?.user ?? stages.user(of: end.request, context)
            var isRepeated = context.first > 1 || context.reason != .call
            do {
                let decision =
                    end.isUnusableRevalidation || recovery.concerns(end.result, retries: end.retries)
                    ? try await recovery.decide(end, context, &memory) : .deliver(try end.result.get())
                switch consume decision {
                case .deliver(let response):
                    held?.keepSlots()
                    if let visits = end.sent?.visits {
                        return try await delivered(response, visits, end, context)
                    }
                    var received = ReceivedResponse(response, end, context)
                    try prepare(&received, context)
                    return received
                case .again(let order):
                    end.sent?.visits?.failed()
                    isRepeated = true
                    try await call.pause(for: order.delay, on: clock, before: order.request)
                    began = clock.moment
                    next = order.request
                    approval = order.approval
                }
            } catch {
                if let stored = try await stale(end, after: .failure(error), context) {
                    held?.keepSlots()
                    return stored
                }
                throw isRepeated ? overdue(error, end.request, context) : error
            }
        }
    }

    /// How long the user of a response is remembered: for a download, or for a body that may be resumed.
    ///
    /// During a call, only authorizers can change the user.
    private func scope(of request: EncodedRequest, for use: BodyUse) -> RequestPartitions.Scope? {
        switch use {
        case .download: .partialFile
        case .continuation: stages.partitions.mayChange ? .call : nil
        case .memory, .stream:
            resumes && request.method == .get && recovery.rules.retry != nil && stages.partitions.mayChange
                ? .call : nil
        }
    }

    /// The deadline's error, if the deadline has cancelled a repetition.
    ///
    /// The record contains it as well.
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

    /// The response with which the call continues if stores have visited it: the attempt's own, or a store's that
    /// replaces a failure of the service.
    private func delivered(
        _ response: TransportResponse,
        _ visits: StoreVisits,
        _ end: AttemptEnd,
        _ context: AttemptContext
    ) async throws -> ReceivedResponse {
        if let stored = try await stale(end, after: .success(response), context) { return stored }
        var received = ReceivedResponse(response, end, context)
        received.taps = await stages.taps(of: response, visits, context.options.use, upTo: delivery.limit)
        try prepare(&received, context)
        return received
    }

    /// The number of an ended attempt's entry in the call's record: that of its last exchange, or of a new entry if it
    /// sent nothing.
    private func number(of end: inout AttemptEnd, _ context: AttemptContext) -> Int {
        let isStored = end.sent?.isStored == true
        let own =
            switch end.result {
            case .success(let response): response.body.exchange
            case .failure(let error): (error as? CumulusError)?.exchange
            }
        if let own, own >= context.first { return own }
        let last = context.call.record.last(since: context.first)
        switch end.result {
        // An interceptor has made another response from it.
        case .success: if let last, last.isAnswered, !isStored { return last.number }
        case .failure(let error): if !(error is CumulusError) { return last?.number ?? 0 }
        }
        let number = context.call.record.add(
            last == nil || context.note == nil ? context.reason : .interceptor,
            end.request,
            AttemptRecord.Outcome(end.result),
            from: context.began,
            at: isStored ? nil : clock.moment
        )
        if case .failure(var error as CumulusError) = end.result {
            error.exchange = number
            end.result = .failure(error)
        }
        return number
    }

    /// A store's response that replaces a failure of the service, with an entry of its own in the record.
    private func stale(
        _ end: AttemptEnd,
        after result: Result<TransportResponse, any Error>,
        _ context: AttemptContext
    ) async throws -> ReceivedResponse? {
        let call = context.call
        guard let stored = await stages.fallback(end.sent?.visits, after: result, call) else { return nil }
        var context = context
        let now = clock.moment
        call.record.close(context.number, at: now)
        context.number = call.record.add(.fallback, end.request, .responded(stored.head.status), from: now)
        var received = ReceivedResponse(stored, end, context, isFallback: true)
        try prepare(&received, context)
        return received
    }

    /// Releases an attempt's slots while user code holds its responses: interceptors, or authorizers that may send
    /// requests for challenges.
    ///
    /// `nil` if neither is possible.
    private var held: HeldResponses? {
        stages.interceptors == nil && !recovery.mayWait ? nil : HeldResponses(isOpen: stages.interceptors != nil)
    }

    /// The request as its first attempt would send it.
    func preview(_ request: EncodedRequest, _ call: CallContext) async throws -> EncodedRequest {
        let conditional = try conditions?.added(to: request) ?? request
        let (options, memory) = (SendOptions(.memory), Recovery.Memory())
        let context = AttemptContext(conditional, call, options, memory, for: .call, refresher: self)
        var changed = conditional
        if let stores = stages.stores {
            let partition = stores.partition(of: conditional, after: [])
            let lookup = StoreLookup(plain: conditional, partition: partition)
            changed = try stores.preview(conditional, stages.storeContext(lookup, context))
        }
        return try await stages.authorization?.authorized(changed, context).authorized ?? changed
    }
}
