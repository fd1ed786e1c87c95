// SPDX-License-Identifier: Apache-2.0

/// Everything that `cumulus upload` was asked for.
struct UploadPlan: Sendable {
    /// The request, with its body.
    var request: Plan
    /// What is sent, as it is shown.
    var name: String
}
