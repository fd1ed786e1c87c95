// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension CommandRun {
    /// Downloads one file, or those of a list, and shows how far they have come.
    func download(_ plan: DownloadPlan) async throws -> CommandStatus {
        var requests = plan.requests
        let identity = requests.first?.identity
        for index in requests.indices where index == 0 || requests[index].identity != identity {
            requests[index] = try completed(requests[index])
        }
        // Whoever is asked for a password is asked once.
        for index in requests.indices where requests[index].identity == identity {
            requests[index].identity = requests[0].identity
        }
        guard let first = requests.first else { return .success }
        let transport = makeTransport(first)
        let board = ProgressBoard(console, isShown: !plan.isQuiet, count: requests.count)
        let run = DownloadRun(plan, board: board, console: console, transport: transport)
        do {
            return try await board.whileDrawing { [requests] in
                plan.isList ? try await run.all(requests) : try await run.one(first)
            }
        } catch is CancellationError {
            console.note("cumulus: interrupted; this goes on with what could be kept:\n  \(plan.continuation)")
            return .interrupted
        }
    }
}
