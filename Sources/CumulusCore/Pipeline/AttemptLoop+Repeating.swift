// SPDX-License-Identifier: Apache-2.0

extension AttemptLoop {
    /// Makes another attempt if a body was interrupted on its way into memory and the policy retries it.
    ///
    /// The exchange has ended: a body cancels it before it throws, and ``Delivery`` cancels a body that is too long.
    ///
    /// - Throws: The error, if there is no other attempt.
    func repeated(_ end: ReceivedResponse, after error: any Error) async throws -> ReceivedResponse {
        let call = end.call
        var memory = end.resuming?.memory ?? end.memory
        // The server reported when to request the remaining bytes again. A request for the whole body must not be sent
        // earlier.
        if let refusal = end.resuming?.refusal, refusal.isTimed, recovery.rules.retry?.policy.decide == nil {
            call.observation?.tell(.retry(refusal.decision))
            throw error
        }
        guard recovery.concerns(.failure(error), retries: true) else { throw error }
        var context = AttemptContext(end.request, call, SendOptions(.memory), memory, for: .retry, refresher: self)
        (context.number, context.first) = (end.lastNumber, end.lastNumber)
        var failed = AttemptEnd(end.request, .failure(error))
        failed.isStored = end.isStored
        do {
            let decision = try await recovery.decide(failed, context, &memory)
            switch consume decision {
            case .deliver: throw error
            case .again(let order):
                try await call.pause(for: order.delay, on: clock, before: order.request)
                return try await send(order, call, for: SendOptions(.memory), after: memory)
            }
        } catch {
            throw call.overdue(error, on: clock, end.request)
        }
    }
}
