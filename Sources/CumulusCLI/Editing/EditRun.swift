// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// One document on its way from the server through the editor and back.
///
/// A class because code that copies a whole plan is large.
final class EditRun {
    private static let mostRounds = 3

    private let plan: EditPlan
    private let console: Console
    private let draft: RequestBuilder.Draft

    init(_ plan: EditPlan, _ draft: RequestBuilder.Draft, console: Console) {
        self.plan = plan
        self.draft = draft
        self.console = console
    }

    /// Gets the document, lets the user edit it, and writes it.
    func run() async throws -> CommandStatus {
        let document = try await fetched(isFresh: false)
        if document.entityTag == nil {
            console.note("cumulus: warning: without an entity tag, this may overwrite someone else's change")
        }
        let text = try EditText(document.response, method: plan.method)
        let file = try EditedFile(text.shown, in: plan.folder, isJSON: text.isJSON)
        var isKept = false
        defer { if !isKept { file.remove() } }
        guard let edited = try await edit(text, in: file) else {
            note("cumulus: nothing was changed, so nothing was sent")
            return .success
        }
        do {
            return try await write(edited, over: document, text)
        } catch {
            console.note("cumulus: your text is saved in \(PathName.shown(file.path))")
            isKept = true
            throw error
        }
    }

    /// Fetches the document.
    ///
    /// - Throws: ``EditProblem`` if no entity tag guards its change, unless the plan allows that.
    private func fetched(isFresh: Bool) async throws -> GuardedDocument {
        let weakly = plan.sendsWeakTags
        do {
            return try await GuardedDocument(
                draft.resource.with { $0.conditions.sendsWeakTags = weakly },
                query: draft.query,
                headers: draft.headers,
                isFresh: isFresh,
                requiresTag: !plan.isUnguarded
            )
        } catch let error as CumulusError where error.code == .invalidRequest && error.response != nil {
            throw EditProblem(reason: "\(error.message); use --unguarded to write the document anyway")
        }
    }

    /// The saved text; `nil` if it is unchanged.
    private func edit(_ text: EditText, in file: EditedFile) async throws -> EditText? {
        while true {
            let status = try await console.edit(plan.editor, file.path)
            try Task.checkCancellation()
            guard status == 0 else {
                throw EditProblem(reason: "the editor exited with status \(status), so nothing was sent")
            }
            let saved = try file.text()
            if saved == text.shown { return nil }
            do {
                let edited = try text.edited(saved)
                return edited.isSame(as: text) ? nil : edited
            } catch {
                console.note(ErrorLine.text(for: error))
                guard let answer = try console.ask("cumulus: edit it again? [Y/n] "), !EditRun.isNo(answer) else {
                    throw EditProblem(reason: "the text can't be used, so nothing was sent")
                }
            }
        }
    }

    /// Writes the edited text; if someone else was faster, applies the edit to their version.
    private func write(_ edited: EditText, over got: GuardedDocument, _ text: EditText) async throws -> CommandStatus {
        var (document, theirs, mine) = (got, text, edited)
        for round in 1...EditRun.mostRounds {
            show(LineDifference(from: theirs.shown, to: mine.shown))
            guard try isApproved() else {
                note("cumulus: nothing was sent")
                return .success
            }
            let payload = try mine.payload(for: document, by: plan.method)
            let response = try await document.write(
                payload,
                by: plan.method,
                to: draft.resource,
                query: draft.query,
                headers: draft.headers
            )
            guard response.status == .preconditionFailed, let tag = document.entityTag else {
                try response.requireSuccess()
                note("cumulus: written (\(ErrorLine.phrase(response.status)))")
                return .success
            }
            let conflict = UpdateConflict(rounds: round, entityTag: tag)
            if round == EditRun.mostRounds { throw conflict.error(after: response) }
            document = try await fetched(isFresh: true)
            let newer = try EditText(document.response, method: plan.method)
            if response.mayAnswerARepetition, mine.isIn(newer, since: theirs) {
                note("cumulus: the document was written, but the response to the first attempt was lost")
                return .success
            }
            console.note("cumulus: someone else has changed the document:")
            for line in LineDifference(from: theirs.shown, to: newer.shown).shown { console.note(line) }
            mine = try mine.moved(from: theirs, onto: newer)
            theirs = newer
        }
        return .success
    }

    private func isApproved() throws -> Bool {
        if plan.isApproved { return true }
        guard let answer = try console.ask("cumulus: write these changes? [y/N] ") else {
            let reason = "nothing was sent, because there is no terminal to ask for confirmation"
            throw UsageMistake(reason, hint: "--yes writes without asking")
        }
        return EditRun.isYes(answer)
    }

    private func show(_ difference: LineDifference) {
        for line in difference.shown { note(line) }
    }

    private func note(_ line: String) {
        if !plan.isQuiet || !plan.isApproved { console.note(line) }
    }

    private static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }
    private static func isNo(_ answer: String) -> Bool { ["n", "no"].contains(answer.lowercased()) }
}
