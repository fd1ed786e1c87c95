// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Interprets the words and options of `cumulus edit`.
struct EditParser {
    /// How the change is sent.
    enum Method: String, CaseIterable {
        case put
        case mergePatch = "merge-patch"
    }

    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> EditPlan {
        guard let url = arguments.words.first else {
            throw arguments.missingURL("write cumulus edit URL [ITEM ...]")
        }
        var request = arguments
        request.quiet = 0
        request.ignoreStdin = true
        var plan = try PlanParser(request, in: surroundings).plan(
            ("GET", url, arguments.words.dropFirst()),
            use: "the document is changed in the editor",
            hint: "cumulus patch URL name=text changes a member without an editor"
        )
        plan.acceptsJSON = true
        return EditPlan(
            request: plan,
            method: arguments.by == .mergePatch ? .mergePatch : .put,
            sendsWeakTags: arguments.weakTag,
            isUnguarded: arguments.unguarded,
            isApproved: arguments.yes,
            editor: variable("VISUAL") ?? variable("EDITOR") ?? "vi",
            folder: variable("TMPDIR") ?? "/tmp",
            isQuiet: arguments.quiet > 0
        )
    }

    private func variable(_ name: String) -> String? {
        surroundings.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
