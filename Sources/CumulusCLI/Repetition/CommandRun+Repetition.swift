// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

extension CommandRun {
    /// Repeats a request for `--until` or `--watch`.
    func perform(
        _ plan: Plan,
        repeated repetition: Repetition,
        over transport: any Transport
    ) async throws -> CommandStatus {
        var plans = [plan]
        try await holdInput(of: &plans)
        // A pager would wait for its user, and delay the next try.
        plans[0].output.pager = nil
        switch repetition {
        case .watch(let pause): return try await watch(plans[0], every: pause, over: transport)
        case .until(let condition, let pause, let tries):
            return try await RepeatedRequest(run: self, plan: plans[0], condition: condition, transport: transport)
                .result(every: pause, tries: tries)
        }
    }

    /// Prints a response after each pause, until Ctrl-C.
    ///
    /// On a terminal, each response replaces the previous one.
    private func watch(_ plan: Plan, every pause: Duration, over transport: any Transport) async throws -> CommandStatus
    {
        var (run, plan) = (self, plan)
        plan.output.endsBodies = true
        // A request ignores a reader of the output that has left, such as `head`; the repetition ends.
        let isClosed = Mutex(false)
        run.console.write = { bytes in
            do {
                try console.write(bytes)
            } catch is ClosedOutput {
                isClosed.withLock { $0 = true }
                throw ClosedOutput()
            }
        }
        var isFirst = true
        while true {
            if console.surroundings.outputIsTerminal { try console.write(Array("\u{1B}[H\u{1B}[2J".utf8)) }
            let status = try await run.performListed(plan, over: transport, isFirst: isFirst)
            // A mistake in the command would fail each time.
            if status == .usage || isClosed.withLock(\.self) { return status }
            isFirst = false
            try await console.clock.sleep(for: pause)
        }
    }
}

/// A request that is sent until its response meets a condition; only the last response is printed.
private struct RepeatedRequest {
    let run: CommandRun
    let plan: Plan
    let condition: ResponseCondition
    let transport: any Transport

    /// Sends the request, at most `tries` times; `nil` is any number.
    ///
    /// - Throws: `CancellationError`, and errors that another try would encounter as well.
    func result(every pause: Duration, tries: Int?) async throws -> CommandStatus {
        var (number, reported) = (0, "")
        while true {
            if number > 0 { try await run.console.clock.sleep(for: pause) }
            number += 1
            let (held, capture) = (HeldOutput(), ResponseCapture(for: condition, plan.output))
            defer { held.discard() }
            let failure = try await failure(into: held, capture)
            let values = capture.values
            if condition.isMet(by: values) {
                try held.print(to: run.console)
                return .success
            }
            if let tries, number >= tries {
                // A reader who leaves doesn't turn this into success.
                do { try held.print(to: run.console) } catch is ClosedOutput {}
                let count = number == 1 ? "1 try" : "\(number) tries"
                run.console.note("cumulus: --until \(quoted(condition.text)) was not true after \(count)")
                return .unmet
            }
            let text = failure ?? state(capture.status, values)
            // A condition may take hours, so a state is reported only when it changes.
            if text != reported, !plan.output.isQuiet {
                run.console.note("cumulus: try \(number): \(PeerText.printable(text, limit: 200))")
            }
            reported = text
        }
    }

    /// Sends the request once, and returns the message of the error that ended it, or `nil`.
    private func failure(into held: HeldOutput, _ capture: ResponseCapture) async throws -> String? {
        var one = run
        one.console = held.console(instead: run.console)
        var failure: String?
        do {
            _ = try await one.perform(plan, over: ExchangeRecorder(transport, for: plan), capture: capture)
        } catch let error as CumulusError where CommandStatus(error) != .usage && !Task.isCancelled {
            one.console.note(ErrorLine.text(for: error))
            failure = ErrorLine.note(for: error)
        } catch let error where error is JSONFilter.Unreadable || error is JSONFilter.TypeMismatch {
            // A later response may contain the value.
            one.console.note(ErrorLine.text(for: error))
            failure = "\(error)"
        }
        // The next try would have the same problem.
        if let problem = capture.problem { throw problem }
        if held.isTooLong { throw ResponseCapture.tooLong }
        return failure
    }

    /// A line with the response's status and the compared values.
    private func state(_ code: Int?, _ values: [JSON]) -> String {
        let status = "status \(code ?? 0)"
        guard !values.isEmpty, condition.subject != .status else { return status }
        return "\(status), \(values.map(\.description).joined(separator: ", "))"
    }
}
