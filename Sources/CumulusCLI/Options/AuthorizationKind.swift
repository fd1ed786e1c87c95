// SPDX-License-Identifier: Apache-2.0

/// How `--auth` proves who sends a request: what `--auth-type` takes.
enum AuthorizationKind: String, CaseIterable, Sendable {
    case basic
    case digest
    case bearer
    case apikey

    /// The names, for help and mistakes.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
