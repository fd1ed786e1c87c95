// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A plan of `cumulus edit`.
struct EditPlan: Sendable {
    /// The request for the document.
    var request: Plan
    /// How the change is sent.
    var method: UpdateMethod
    /// Whether a weak entity tag guards the change, too.
    var sendsWeakTags: Bool
    /// Whether the change is written without asking.
    var isApproved: Bool
    /// The editor, as a shell command.
    var editor: String
    /// The folder of the text while it is edited.
    var folder: String
    var isQuiet: Bool
}
