// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Everything that `cumulus edit` was asked for.
struct EditPlan: Sendable {
    /// The request for the document.
    var request: Plan
    /// How the change is sent.
    var method: UpdateMethod
    /// Whether it is written without asking.
    var isApproved: Bool
    /// The editor, as the shell takes it.
    var editor: String
    /// Where the text is while it is edited.
    var folder: String
    var isQuiet: Bool
}
