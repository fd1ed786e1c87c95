// SPDX-License-Identifier: Apache-2.0

/// The server only accepts schemes that authenticate a connection instead of a request.
struct UnsupportedSchemes: CodedProblem {
    private static let known = ["Negotiate", "NTLM", "Kerberos"]

    let description: String

    /// `nil` if the server offers another scheme, or none.
    init?(_ challenges: [AuthenticationChallenge]) {
        let offered = challenges.map { challenge in Self.known.first(where: challenge.isScheme) }
        guard !offered.isEmpty, !offered.contains(nil) else { return nil }
        description =
            "the server wants \(offered.compactMap(\.self).joined(separator: " or ")), which Cumulus does not support; "
            + "a proxy such as cntlm does, or ask for another way to sign in"
    }

    var code: CumulusError.Code { .unsupported }
}
