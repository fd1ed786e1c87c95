// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

extension CommandRun {
    /// Sends the same request to several URLs, one after the other; a failure is reported and doesn't affect the
    /// others.
    ///
    /// - Returns: Success, or the exit status of the first failure.
    func perform(_ asked: [Plan]) async throws -> CommandStatus {
        var plans = asked
        for index in plans.indices {
            // The user is asked for a password only once.
            let isSame = index > 0 && asked[index].identity == asked[0].identity
            if isSame { plans[index].identity = plans[0].identity }
            plans[index].output.endsBodies = true
            // Nor about a method.
            if index > 0 { plans[index].meantMethod = nil }
            plans[index] = try completed(plans[index])
            if index > 0 { plans[0].share(with: plans[index]) }
        }
        try await holdInput(of: &plans)
        let status = try await withCookies(plans) { plans in
            try await withTransport(plans[0]) { transport in
                var status = CommandStatus.success
                for (index, plan) in plans.enumerated() {
                    let next = try await performListed(plan, over: transport, isFirst: index == 0)
                    if status == .success { status = next }
                }
                return status
            }
        }
        noteUnsentInput(of: plans)
        return status
    }

    /// Sends one of several requests; a failure is reported.
    func performListed(_ plan: Plan, over transport: any Transport, isFirst: Bool) async throws -> CommandStatus {
        do {
            return try await perform(plan, over: ExchangeRecorder(transport, for: plan), isFirst: isFirst)
        } catch let error where error is CancellationError || error is ClosedOutput || error is OutputProblem {
            throw error
        } catch {
            console.note(ErrorLine.text(for: error))
            return CommandStatus(error)
        }
    }

    /// Reads standard input once if it is the body, since each request needs all of it.
    func holdInput(of plans: inout [Plan]) async throws {
        guard case .input = plans[0].body else { return }
        guard let bytes = try await InputBody(console).whole() else {
            throw UsageMistake(
                "standard input is too long to be sent more than once: over \(InputBody.heldLimit >> 20) MiB",
                hint: "cumulus upload - URL sends it once"
            )
        }
        for index in plans.indices { plans[index].body = bytes.isEmpty ? .none : .held(bytes) }
    }
}
