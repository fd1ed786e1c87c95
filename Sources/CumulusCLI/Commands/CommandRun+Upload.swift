// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension CommandRun {
    /// Sends a file, shows the progress, and prints the response.
    func upload(_ upload: UploadPlan) async throws -> CommandStatus {
        if upload.request.isOffline || upload.request.isCurl { return try await perform(upload.request) }
        if let pieces = upload.pieces { return try await self.upload(upload, pieces) }
        try checkOutput(of: upload.request)
        let plan = try completed(upload.request)
        return try await withCookies([plan]) { plans in
            try await withTransport(plan) {
                try await self.upload(upload, plans[0], over: ExchangeRecorder($0, for: plan))
            }
        }
    }

    private func upload(
        _ upload: UploadPlan,
        _ plan: Plan,
        over recorder: ExchangeRecorder
    ) async throws -> CommandStatus {
        let draft = try await RequestBuilder(plan, console: console, renewals: renewals).build(over: recorder)
        var printer = ExchangePrinter(plan.output, console: console)
        let started = console.clock.now
        let board = ProgressBoard(console, isShown: !plan.output.isQuiet, count: 1)
        let index = board.add(PathName.shown(upload.name))
        let sent = LatestCount()
        do {
            let stream = try await board.whileDrawing {
                try await draft.open { event in
                    sent.note(event)
                    board.note(event, of: index)
                }
            }
            let elapsed = console.clock.now - started
            do {
                try printer.print(earlier: recorder.exchanges.dropLast())
                if let request = recorder.lastRequest { try printer.print(request, over: stream.head.protocolName) }
                try printer.print(stream.head)
                try printer.saveHead(stream.head)
            } catch is ClosedOutput {
                stream.cancel()
                return CommandStatus(statusCode: stream.status.code)
            }
            let name = PathName.shown(upload.name)
            let status = try await deliver(stream, to: &printer, started: started, bodyName: name)
            if status == .success, !plan.output.isQuiet {
                let bytes = sent.value(written: stream.end?.facts.bytesSent ?? 0)
                console.note(TransferReport(name: upload.name, verb: "sent", bytes: bytes, elapsed: elapsed).text)
            }
            return status
        } catch let error as CumulusError where !printer.hasPrinted {
            do {
                if let request = recorder.lastRequest { try printer.print(request) }
            } catch is ClosedOutput {}
            throw error
        }
    }
}
