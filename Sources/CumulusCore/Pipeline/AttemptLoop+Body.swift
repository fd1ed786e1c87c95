// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The end of the attempts: the response's body is limited, made resumable, counted, decoded and collected.
extension AttemptLoop {
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

        /// The stores that wait for its end, until its body is prepared; for a download, until the file is complete.
        var taps: StoreTaps?
        /// The user for which it was received, and its route; `nil` if they aren't needed.
        let user: StorePartition.Parts?
        /// The request with its cookies and credentials.
        let authorized: EncodedRequest
        /// Whether a store has returned it.
        ///
        /// If its body breaks off, the server hasn't failed.
        let isStored: Bool

        init(
            _ response: TransportResponse,
            _ end: AttemptEnd,
            _ context: AttemptContext,
            isFallback: Bool = false
        ) {
            (request, self.response) = (end.request, response)
            isStored = isFallback || end.sent?.isStored == true
            authorized = end.sent?.authorized ?? end.request
            (memory, call, number, user) = (context.memory, context.call, context.number, context.user)
        }

        /// The number of the exchange that delivered the last bytes of its body.
        var lastNumber: Int { resuming?.number ?? number }

        /// Records that its body broke off.
        func breakOff(_ error: any Error, at now: Moment) {
            if resuming?.isBroken != true { call.record.breakOff(lastNumber, error, at: now) }
        }
    }

    /// Prepares the response for its use: throttles its body, makes it resumable, counts it, and decodes it.
    ///
    /// A body that an interceptor has replaced or a store has returned isn't resumed, since ranges count other bytes.
    func prepare(_ end: inout ReceivedResponse, _ context: AttemptContext) throws {
        let (call, use) = (context.call, context.options.use)
        if stages.bandwidth.isOn { stages.bandwidth.throttle(&end.response, of: call) }
        if use.isRaw, end.response.head.status.kind == .successful { return }
        let taps = end.taps.take()
        if !use.isRaw, !end.isStored { resume(&end, upTo: use == .memory ? Int64(delivery.limit) : .max) }
        if let taps { end.response = end.response.tapped(by: taps, .bytes) }
        if call.observation != nil { stages.progress.count(&end.response, of: end.request, call) }
        do {
            try contentDecoding.decode(&end.response, of: end.request, for: call, on: clock)
            if let taps { end.response = end.response.tapped(by: taps, .end) }
        } catch {
            end.response.body.cancel()
            let error = Stage.describe(error, .delivery, .contentCoding, request: end.request)
            call.record.breakOff(context.number, error, at: clock.moment)
            guard !judge.accepts(end.response.head.status) else { throw error }
            throw (error as? CumulusError)?.of(self.response(of: end)) ?? error
        }
    }

    /// Takes a body that has arrived as a whole, as most have; `nil` if it must be read.
    func whole(_ end: ReceivedResponse) throws -> Response? {
        do {
            guard let body = try delivery.whole(of: end.response.body, upTo: bound(of: end)) else { return nil }
            return response(of: end, body)
        } catch {
            throw brokenOff(end, by: error)
        }
    }

    /// Reads a body into memory; of an unsuccessful response only the beginning.
    func collect(_ end: ReceivedResponse) async throws -> Response {
        if let whole = try whole(end) { return whole }
        do {
            return response(of: end, try await delivery.collect(end.response.body, upTo: bound(of: end)))
        } catch let interrupted as Delivery.InterruptedBody {
            // The error contains the server's response: its status, its head, and the part of the body that arrived.
            let error = brokenOff(end, by: interrupted.cause)
            throw (error as? CumulusError)?.of(response(of: end, interrupted.kept)) ?? error
        } catch {
            throw brokenOff(end, by: error)
        }
    }

    /// How much of a body is read.
    private func bound(of end: ReceivedResponse) -> Delivery.Bound {
        let isSuccess = judge.accepts(end.response.head.status)
        let limit = isSuccess ? delivery.limit : min(delivery.limit, Delivery.errorLimit)
        return Delivery.Bound(limit: limit, cutsOff: !isSuccess)
    }

    /// Records that a body broke off, and returns the error to throw.
    private func brokenOff(_ end: ReceivedResponse, by error: any Error) -> any Error {
        let described = Stage.describe(error, .delivery, .transport, request: end.request)
        end.breakOff(described, at: clock.moment)
        return described
    }

    /// Creates a response from the received one and the part of its body that was read.
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
        if !end.call.record.isPlain || stages.interceptors != nil || stages.stores != nil {
            parts.take(end.call.record, of: end.lastNumber, at: parts.endedAt)
        }
        return Response(parts)
    }
}
