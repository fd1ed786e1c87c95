// SPDX-License-Identifier: Apache-2.0

/// Why a document was not written.
struct EditProblem: Error, CustomStringConvertible {
    let reason: String
    var description: String { "edit: \(reason)" }
}
