// SPDX-License-Identifier: Apache-2.0

extension Exchange {
    /// Makes another attempt if a body was interrupted on its way into memory and the policy retries it.
    ///
    /// - Throws: The error, if there is no other attempt.
    func repeated(_ end: ReceivedResponse, after error: any Error) async throws -> ReceivedResponse {
        let failure = Result<TransportResponse, any Error>.failure(error)
        end.answer.body.cancel()
        let call = end.call
        let exchanges = end.exchanges
        var history = exchanges.history
        history.add(exchanges.earlier, of: exchanges.request, call.started)
        // The server was asked for the rest, and said when to come again: a request for the whole must not come before.
        if let refusal = end.resuming?.refusal, refusal.isTold, recovery.rules.retry?.policy.decide == nil {
            history.note(refusal.decision)
            call.observation?.tell(.retry(refusal.decision))
            throw recorded(error, after: history, of: end.request, call)
        }
        guard recovery.concerns(failure, retries: true) else {
            throw recorded(error, after: history, of: end.request, call)
        }
        do {
            let context = Attempting(call: call, use: .memory, history: history)
            let decision = try await recovery.decide(
                failure,
                of: end.request,
                sentAs: nil,
                context,
                &history,
                retries: true,
                isStored: end.isStored
            )
            switch consume decision {
            case .deliver: throw error
            case .again(let order):
                try await call.pause(for: order.delay, on: clock, before: order.request)
                history.begin(at: clock.moment)
                return try await send(order.request, call, for: .memory, after: history, by: order.permit)
            }
        } catch {
            throw recorded(error, after: history, of: end.request, call)
        }
    }

    /// An error of a body with the attempts that led to it, if they have details.
    func recorded(_ error: any Error, _ end: ReceivedResponse) -> any Error {
        var exchanges = end.exchanges
        exchanges.history.add(exchanges.earlier, of: exchanges.request, end.call.started)
        if let refusal = end.resuming?.refusal { exchanges.history.note(refusal.decision) }
        return recorded(error, after: exchanges.history, of: exchanges.request, end.call)
    }

    /// An error with the attempts that led to it, if they have details.
    func recorded(
        _ error: any Error,
        after history: CallHistory,
        of request: EncodedRequest,
        _ call: CallContext
    ) -> any Error {
        let failure = history.isEmpty ? error : call.overdue(error, on: clock, request)
        guard let error = failure as? CumulusError else { return failure }
        if history.isEmpty, error.earlier.isEmpty { return error }
        return error.after(
            history.records(.failed(error), of: request, at: clock.moment, call.started, after: error.earlier)
        )
    }
}
