// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusUploads

extension CommandRun {
    /// Sends a file in pieces, or removes an interrupted upload, and shows the progress.
    func upload(_ upload: UploadPlan, _ pieces: PieceUpload) async throws -> CommandStatus {
        let plan = try completed(upload.request)
        return try await withCookies([plan]) { plans in
            try await withTransport(plan) { transport in
                let draft = try await RequestBuilder(plans[0], console: console, renewals: renewals)
                    .build(over: transport)
                if pieces.abandons { return try await abandon(upload, pieces, draft) }
                do {
                    return try await send(upload, pieces, draft)
                } catch is CancellationError {
                    console.note("cumulus: interrupted; to resume, run:\n  \(pieces.continuation)")
                    return .interrupted
                } catch let error as CumulusError where CommandStatus(error).isResumable {
                    console.note(ErrorLine.text(for: error))
                    console.note("cumulus: to resume, run:\n  \(pieces.continuation)")
                    return CommandStatus(error)
                }
            }
        }
    }

    private func send(
        _ upload: UploadPlan,
        _ pieces: PieceUpload,
        _ draft: RequestBuilder.Draft
    ) async throws -> CommandStatus {
        let isQuiet = upload.request.output.isQuiet
        let board = ProgressBoard(console, isShown: !isQuiet, count: 1)
        let index = board.add(PathName.shown(upload.name))
        let started = console.clock.now
        let options = UploadOptions(resume: pieces.resumes, records: pieces.records)
        var call = draft.resource.prepareUpload(pieces.path, by: pieces.uploadProtocol, options: options)
        (call.query, call.headers) = (draft.query, draft.headers)
        let running = call.start()
        let file = try await InterruptSignal.finishing {
            try await board.whileDrawing {
                try await withTaskCancellationHandler {
                    for await event in running.progress { board.note(event, of: index) }
                    return try await running.value
                } onCancel: {
                    running.cancel()
                }
            }
        }
        if let reason = file.restartReason, !upload.request.output.isSilent {
            console.note("cumulus: \(PathName.shown(upload.name)) was sent from the beginning: \(reason)")
        }
        if !isQuiet {
            let report = TransferReport(
                name: upload.name,
                verb: "sent",
                bytes: file.sentByteCount,
                kept: file.resumedByteCount,
                elapsed: console.clock.now - started
            )
            console.note(report.text)
        }
        // The URL is the command's result, so it is also printed with `-q`.
        if !upload.request.output.isSilent { try console.write(Array("\(file.url)\n".utf8)) }
        return .success
    }

    private func abandon(
        _ upload: UploadPlan,
        _ pieces: PieceUpload,
        _ draft: RequestBuilder.Draft
    ) async throws -> CommandStatus {
        let options = UploadOptions(records: pieces.records)
        let place = draft.resource
        var call = place.prepareAbandoningUpload(of: pieces.path, by: pieces.uploadProtocol, options: options)
        (call.query, call.headers) = (draft.query, draft.headers)
        let found = try await call.send()
        if !upload.request.output.isQuiet {
            let name = PathName.shown(upload.name)
            let text = found ? "removed the upload of \(name)" : "there is no interrupted upload of \(name)"
            console.note("cumulus: \(text)")
        }
        return .success
    }
}
