// SPDX-License-Identifier: Apache-2.0

/// A plan of `cumulus upload`.
struct UploadPlan: Sendable {
    /// The request, with its body.
    var request: Plan
    /// The displayed name of the file.
    var name: String
}
