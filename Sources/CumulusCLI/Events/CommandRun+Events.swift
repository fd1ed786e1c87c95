// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension CommandRun {
    /// Prints the events of a stream as they arrive, over as many connections as needed.
    func events(_ asked: EventsPlan) async throws -> CommandStatus {
        var plan = asked
        plan.request = try completed(asked.request)
        let status = try await withCookies([plan.request]) { [plan] plans in
            try await withTransport(plan.request) { transport in
                var plan = plan
                plan.request = plans[0]
                return try await print(plan, over: transport)
            }
        }
        noteUnsentInput(of: [plan.request])
        return status
    }

    private func print(_ plan: EventsPlan, over transport: any Transport) async throws -> CommandStatus {
        let draft = try await RequestBuilder(plan.request, console: console, renewals: renewals).build(over: transport)
        if plan.request.cacheFolder != nil { refreshes.add(draft.resource) }
        let isQuiet = plan.request.output.isQuiet
        let stream = draft.call.events(reconnect: plan.reconnection, heartbeat: plan.heartbeat).onStateChange {
            guard !isQuiet, case .waiting(let until, let error) = $0 else { return }
            console.note(CommandRun.text(console.clock.now.duration(to: until), after: error))
        }
        var output = EventOutput(plan, console: console)
        do {
            for try await event in stream {
                if let sentinel = plan.sentinel, event.data == sentinel {
                    try output.finish()
                    return .success
                }
                try output.print(event)
            }
        } catch {
            // The last line is ended, also after Ctrl-C.
            if !(error is ClosedOutput) { try? output.finish() }
            throw error
        }
        try output.finish()
        guard let sentinel = plan.sentinel else { return .success }
        console.note("cumulus: truncated: the stream ended before an event with the data \(quoted(sentinel))")
        return .partial
    }

    /// The line about the wait between two connections.
    private static func text(_ wait: Duration, after error: (any Error)?) -> String {
        let reason = (error as? CumulusError).map(ErrorLine.note) ?? "the server ended the stream"
        return "cumulus: \(PeerText.printable(reason, limit: 1_000)); reconnecting in \(SpokenDuration(wait))"
    }
}
