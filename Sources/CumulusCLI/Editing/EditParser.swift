// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Interprets the words and options of `cumulus edit`.
struct EditParser {
    private let command: EditCommand
    private let surroundings: Surroundings

    init(_ command: EditCommand, in surroundings: Surroundings) {
        self.command = command
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> EditPlan {
        guard let url = command.words.first else {
            throw UsageMistake("there is no URL", hint: "cumulus edit URL [ITEM ...]")
        }
        var request = CumulusCommand.bare([])
        request.request.base = command.base
        request.request.ignoreStdin = true
        request.authorization = command.authorization
        request.session = command.session
        request.connection = command.connection
        var plan = try PlanParser(request, in: surroundings).plan(
            ("GET", url, command.words.dropFirst()),
            use: "a document is changed in the editor",
            hint: "cumulus patch URL name=text changes a member without one"
        )
        plan.acceptsJSON = true
        return EditPlan(
            request: plan,
            method: command.by == .put ? .put : .mergePatch,
            sendsWeakTags: command.weakTag,
            isApproved: command.yes,
            editor: variable("VISUAL") ?? variable("EDITOR") ?? "vi",
            folder: variable("TMPDIR") ?? "/tmp",
            isQuiet: command.quiet
        )
    }

    private func variable(_ name: String) -> String? {
        surroundings.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
