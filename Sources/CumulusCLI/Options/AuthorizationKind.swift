// SPDX-License-Identifier: Apache-2.0

/// The kinds of authorization with `--auth`: the values of `--auth-type`.
enum AuthorizationKind: String, CaseIterable, Sendable {
    case basic
    case digest
    case bearer
    case apikey
    case aws4
    /// The stored login of `cumulus login`.
    case oauth2

    /// Parses a kind, ignoring case; `aws4` may be followed by region and service.
    init?(named word: String) {
        if AWSIdentity.isNamed(word) {
            self = .aws4
        } else {
            self.init(rawValue: word.lowercased())
        }
    }

    /// The names, for help and error messages.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
