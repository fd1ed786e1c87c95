// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

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

    /// Says that a scheme is not among the offered ones.
    static func missing(_ scheme: String, among challenges: [AuthenticationChallenge]) -> String {
        guard !challenges.isEmpty else { return "the server names no scheme that Cumulus can read" }
        let offered = challenges.prefix(4).map { PeerText.printable($0.scheme, limit: 40) }
        return "the server offers \(offered.joined(separator: ", ")), not \(scheme)"
    }
}
