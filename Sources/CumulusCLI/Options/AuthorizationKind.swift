// SPDX-License-Identifier: Apache-2.0

/// How `--auth` proves who sends a request: what `--auth-type` takes.
enum AuthorizationKind: String, CaseIterable, Sendable {
    case basic
    case digest
    case bearer
    case apikey
    case aws4
    /// What `cumulus login` has kept.
    case oauth2

    /// The kind of a word in any case; behind `aws4` region and service may stand.
    init?(named word: String) {
        if AWSIdentity.isNamed(word) {
            self = .aws4
        } else {
            self.init(rawValue: word.lowercased())
        }
    }

    /// The names, for help and mistakes.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
