// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension CommandRun {
    /// Sends a request again and again, as `--until` or `--watch` says.
    func perform(
        _ plan: Plan,
        repeated repetition: Repetition,
        over transport: any Transport
    ) async throws -> CommandStatus {
        var plans = [plan]
        try await holdInput(of: &plans)
        // A pager would wait for its reader, and the next try for the pager.
        plans[0].output.pager = nil
        switch repetition {
        case .watch(let pause): return try await watch(plans[0], every: pause, over: transport)
        case .until(let condition, let pause, let tries):
            return try await RepeatedRequest(run: self, plan: plans[0], condition: condition, transport: transport)
                .result(every: pause, tries: tries)
        }
    }

    /// Prints a response after each pause, until Ctrl-C; on a terminal, each replaces the one before.
    private func watch(_ plan: Plan, every pause: Duration, over transport: any Transport) async throws -> CommandStatus
    {
        var plan = plan
        plan.output.endsBodies = true
        var isFirst = true
        while true {
            if console.surroundings.outputIsTerminal { try console.write(Array("\u{1B}[H\u{1B}[2J".utf8)) }
            let status = try await performListed(plan, over: transport, isFirst: isFirst)
            // It would be wrong each time.
            if status == .usage { return status }
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
    /// - Throws: `CancellationError`, and errors that another try would meet as well.
    func result(every pause: Duration, tries: Int?) async throws -> CommandStatus {
        var (number, reported) = (0, "")
        while true {
            number += 1
            let (held, capture) = (HeldOutput(), ResponseCapture())
            let failure = try await failure(into: held, capture)
            if condition.isMet(status: capture.status, body: capture.bytes) {
                try held.print(to: run.console)
                return .success
            }
            if let tries, number >= tries {
                try held.print(to: run.console)
                let count = number == 1 ? "1 try" : "\(number) tries"
                run.console.note("cumulus: --until \(quoted(condition.text)) was not true after \(count)")
                return .unmet
            }
            let text = failure ?? state(of: capture)
            // A condition may need hours; what doesn't change is reported once.
            if text != reported, !plan.output.isQuiet {
                run.console.note("cumulus: try \(number): \(PeerText.printable(text, limit: 200))")
            }
            reported = text
            try await run.console.clock.sleep(for: pause)
        }
    }

    /// Sends the request once; returns the error that ended it, in words.
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
            // The response of a later try may have the value.
            one.console.note(ErrorLine.text(for: error))
            failure = "\(error)"
        }
        if capture.isTooLong {
            throw JSONFilter.Unreadable(option: "--until", reason: "the response is longer than 64 MiB")
        }
        return failure
    }

    /// The compared values of a response, or its status.
    private func state(of capture: ResponseCapture) -> String {
        let values = condition.values(status: capture.status, body: capture.bytes)
        let status = "status \(capture.status ?? 0)"
        guard !values.isEmpty, condition.subject != .status else { return status }
        return "\(status), \(values.map(\.description).joined(separator: ", "))"
    }
}
