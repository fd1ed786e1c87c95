// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Works out who sends the request; no message quotes a password or a token.
struct IdentityParser {
    /// Kinds that there are elsewhere.
    private static let otherKinds: Set<String> = ["digest", "ntlm", "negotiate", "token", "jwt", "oauth", "aws"]

    private let options: AuthorizationOptions

    init(_ options: AuthorizationOptions) { self.options = options }

    /// The identity that the options name, else the one that stood in the URL, else none.
    func identity(inURL user: Credentials?) throws(UsageMistake) -> Plan.Identity? {
        let isBearer = try isBearer()
        guard let text = options.auth else {
            if options.authType != nil { throw UsageMistake("--auth-type says how, but no --auth says who") }
            return user.map { .basic(user: $0.user, password: $0.password) }
        }
        if isBearer {
            guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw UsageMistake("the token of --auth is empty or holds a character that no header can carry")
            }
            return .bearer(Secret(text))
        }
        guard let (name, password) = text.split(at: ":") else { return .basic(user: text, password: nil) }
        return .basic(user: name, password: Secret(password))
    }

    /// Whether what `--auth` names is a token.
    ///
    /// A kind that is not known is not quoted: it may be the token, in the other's place.
    private func isBearer() throws(UsageMistake) -> Bool {
        switch options.authType?.lowercased() {
        case nil, "basic": return false
        case "bearer": return true
        case let kind?:
            let shown = IdentityParser.otherKinds.contains(kind) ? ", not '\(kind)'" : ""
            throw UsageMistake("--auth-type takes basic or bearer\(shown)", hint: "-A bearer -a TOKEN")
        }
    }
}
