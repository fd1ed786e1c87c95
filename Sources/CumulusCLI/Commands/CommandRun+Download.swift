// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

extension CommandRun {
    /// Downloads one file, or those of a list, and shows the progress.
    func download(_ plan: DownloadJob) async throws -> CommandStatus {
        if plan.isList, let output = plan.output, PathName.isTaken(output), !PathName.isFolder(output) {
            throw UsageMistake("-o must name a folder for several URLs, but \(quoted(output)) is not a folder")
        }
        var requests = plan.requests
        let identity = requests.first?.identity
        for index in requests.indices where index == 0 || requests[index].identity != identity {
            requests[index] = try completed(requests[index])
        }
        // The user is asked for a password only once.
        for index in requests.indices where requests[index].identity == identity {
            requests[index].identity = requests[0].identity
        }
        guard var first = requests.first else { return .success }
        // One transport for all, with one certificate given for all.
        for request in requests { first.share(with: request) }
        return try await withCookies(requests) { requests in
            try await withTransport(first) { try await download(plan, requests, over: $0) }
        }
    }

    private func download(
        _ plan: DownloadJob,
        _ requests: [Plan],
        over transport: any Transport
    ) async throws -> CommandStatus {
        let board = ProgressBoard(console, isShown: !plan.isQuiet, count: requests.count)
        let run = DownloadRun(
            plan,
            board: board,
            console: console,
            transport: transport,
            renewals: renewals,
            refreshes: refreshes,
            rateLimit: requests.first?.rateLimit
        )
        try run.makeFolder()
        do {
            let status = try await InterruptSignal.finishing {
                try await board.whileDrawing {
                    plan.isList ? try await run.all(requests) : try await run.one(requests[0])
                }
            }
            if status.isResumable { console.note("cumulus: \(run.continuation)") }
            return status
        } catch is CancellationError {
            console.note("cumulus: interrupted; \(run.continuation)")
            return .interrupted
        } catch let error as CumulusError where CommandStatus(error).isResumable {
            console.note(ErrorLine.text(for: error))
            console.note("cumulus: \(run.continuation)")
            return CommandStatus(error)
        }
    }
}
