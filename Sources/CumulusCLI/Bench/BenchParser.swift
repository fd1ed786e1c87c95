// SPDX-License-Identifier: Apache-2.0

import CumulusNIO

/// Interprets the words and options of `cumulus bench`.
struct BenchParser {
    private let command: BenchCommand
    private let surroundings: Surroundings

    init(_ command: BenchCommand, in surroundings: Surroundings) {
        self.command = command
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> BenchPlan {
        guard !command.words.isEmpty else {
            throw UsageMistake("there is no URL", hint: "cumulus bench [METHOD] URL [ITEM ...] -n 1000 -c 10")
        }
        var request = CumulusCommand.bare(command.words)
        request.request.base = command.base
        request.request.json = command.json
        request.request.form = command.form
        // It could only be read once.
        request.request.ignoreStdin = true
        request.authorization = command.authorization
        request.session = command.session
        request.connection = command.connection
        let plans = try PlanParser(request, in: surroundings).plans()
        guard plans.count == 1, var plan = plans.first else { throw UsageMistake("bench takes one URL") }
        let concurrency = command.concurrency ?? 10
        guard 1...1_000 ~= concurrency else { throw UsageMistake("--concurrency takes a number from 1 to 1000") }
        let requests = command.requests ?? (command.duration == nil ? 1_000 : .max)
        guard requests >= 1 else { throw UsageMistake("--requests takes a number from 1") }
        if let seconds = command.duration, !(seconds.isFinite && seconds > 0 && seconds <= 86_400) {
            throw UsageMistake("--duration takes seconds, up to a day")
        }
        plan.route.maximumConnectionsPerOrigin = max(concurrency, 1)
        plan.route.maximumIdleConnections = max(concurrency, plan.route.maximumIdleConnections)
        return BenchPlan(
            request: plan,
            requests: requests,
            concurrency: concurrency,
            duration: command.duration.map { .seconds($0) },
            printsJSON: command.report
        )
    }
}
