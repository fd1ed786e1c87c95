// SPDX-License-Identifier: Apache-2.0

// The wait between two connections of an event stream.

extension EventConnection {
    private var policy: RetryPolicy { call?.resource.retry ?? .default }

    func isTemporary(_ error: any Error) -> Bool {
        guard let error = error as? CumulusError else { return false }
        // A server that ends a stream, or is restarted, rarely completes the compressed data.
        if let problem = error.cause as? ContentCodingProblem, problem.kind == .truncated { return true }
        return error.cause is CircuitOpen || error.isTransient(policy.statuses.contains)
    }

    /// Waits before the next connection.
    ///
    /// - Throws: The error if the server requests a wait that is too long, or if the body can't be sent again; the
    ///   deadline's error if that passes first.
    func pause(after error: (any Error)?) async throws {
        if let problem = bodyProblem { throw error ?? problem }
        guard let call, !hasNews(after: error, at: call.resource.clock.moment) else { return }
        let policy = policy
        let serverWait = (error as? CumulusError)?.response?.requestedWait
        if let error, let wait = serverWait, let most = policy.maxWait, wait > most { throw error }
        repeat {
            failures += 1
            let delay = ReconnectionDelay(backoff: policy.backoff, requested: requestedWait)
            let pause = ((error as? CumulusError)?.cause as? CircuitOpen)?.remaining
            let least = max(serverWait ?? .zero, pause ?? .zero)
            try await self.pause(for: max(delay.wait(before: failures), least), after: error, call)
            // Without a retry, the wait grows, so that many streams don't overload the origin.
        } while !call.resource.takeRetry(of: policy.budget, after: error)
    }

    /// The error of a body that can't be sent again; `nil` if the next request can be sent.
    private var bodyProblem: CumulusError? {
        guard let firstRequest, !firstRequest.body.canBeSent, options.reconnection != .byGet, cursor == nil else {
            return nil
        }
        let problem = BodyAlreadySent()
        return CumulusError(
            .requestBody,
            stage: .transmission,
            problem.description,
            request: firstRequest,
            cause: problem
        )
    }

    private func pause(for wait: Duration, after error: (any Error)?, _ call: Call<Response>) async throws {
        let clock = call.resource.clock
        report.tell(.waiting(until: clock.now.advanced(by: wait), after: error))
        try await call.request.wait(wait, since: started ?? clock.moment, deadline: call.resource.deadline)
    }
}
