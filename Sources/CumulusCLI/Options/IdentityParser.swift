// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Determines the identity of the request's sender; no message quotes a password or a token.
struct IdentityParser {
    /// Kinds that exist in other tools, and may be quoted in a message.
    private static let otherKinds: Set<String> = ["token", "jwt", "oauth", "aws", "hawk", "kerberos"]

    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The header field in which credentials of these options go; `nil` if there are none, or in the query.
    static func field(auth: String?, type: String?) -> Headers.Name? {
        guard auth != nil || type != nil else { return nil }
        guard type?.lowercased() == "apikey", let auth else { return .authorization }
        if SecretWord.isElsewhere(auth) { return Headers.Name("X-API-Key") }
        if let (name, rest) = auth.split(at: "="), rest.begins(with: "="), !name.has(anyOf: ":") { return nil }
        return Headers.Name(auth.split(at: ":")?.before ?? "X-API-Key")
    }

    /// The identity of the options, otherwise that of the URL, otherwise none.
    func identity(inURL user: Credentials?) throws(UsageMistake) -> Plan.Identity? {
        let kind = try kind()
        if kind == .aws4 {
            return .aws(try AWSIdentity(options, in: surroundings))
        }
        guard let text = options.auth else {
            if options.authType == nil || kind == .basic, let user {
                return .basic(user: user.user, password: user.password)
            }
            if kind == .digest, let user { return .digest(user: user.user, password: user.password) }
            if options.authType != nil {
                throw UsageMistake("--auth-type needs --auth", hint: "for example -A bearer -a TOKEN")
            }
            return nil
        }
        switch kind {
        case .oauth2: return nil
        case .bearer: return .bearer(try token(text))
        case .apikey: return try key(text)
        case .basic, .digest, .aws4:
            if text.isEmpty {
                throw UsageMistake("--auth is empty", hint: "write -a USER:PASSWORD, or -A bearer -a TOKEN")
            }
            let (name, word) = text.split(at: ":").map { ($0.before, Optional($0.behind)) } ?? (text, nil)
            if name == "env", let word, IdentityParser.isVariableName(word) {
                throw UsageMistake(
                    "--auth needs a user name before env:NAME, which is the password",
                    hint:
                        "write -a USER:env:NAME, or -A bearer -a env:NAME for a token; "
                        + "-a 'env:\\PASSWORD' is for a user named env"
                )
            }
            var password: Secret<String>?
            // With basic, env:x is the user env: only the password can be a reference.
            if let word { password = try secret(word) }
            return kind == .basic
                ? .basic(user: name, password: password) : .digest(user: name, password: password)
        }
    }

    /// The identity from a netrc file for the given host, and whether it is the `default` entry's; none if the command
    /// line sets one.
    func identity(
        inNetrcFor origin: Origin,
        notices: inout [String]
    ) throws(UsageMistake) -> (identity: Plan.Identity, isForAnyHost: Bool)? {
        if options.ignoreNetrc { return nil }
        let mustBeThere = options.netrc
        guard let path = netrcPath else {
            if mustBeThere { throw UsageMistake("--netrc can't find the netrc file: neither NETRC nor HOME is set") }
            return nil
        }
        do {
            let file = try surroundings.readNetrc(path)
            guard let found = file.credentials(for: origin) else { return nil }
            return (.basic(user: found.user, password: found.password), !file.hasEntry(for: origin))
        } catch {
            if mustBeThere { throw UsageMistake("\(error)", hint: "--ignore-netrc skips the file") }
            if (error as? NetrcProblem)?.isMissing != true {
                notices.append("\(error); the file is not used (--ignore-netrc skips it)")
            }
            return nil
        }
    }

    private var netrcPath: String? {
        if let path = surroundings.environment["NETRC"], !path.isEmpty { return path }
        guard let home = surroundings.environment["HOME"], !home.isEmpty else { return nil }
        return "\(home)/.netrc"
    }

    /// Whether a word has the usual form of a variable's name: capital letters, digits and underscores.
    private static func isVariableName(_ word: String) -> Bool {
        guard let first = word.utf8.first, RequestItem.isCapital(first) else { return false }
        return word.utf8.allSatisfy {
            RequestItem.isCapital($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "_")
        }
    }

    private func secret(_ word: String) throws(UsageMistake) -> Secret<String> {
        try SecretWord(of: \.auth, options, in: surroundings).secret(word)
    }

    /// A token, or a key, in which there may be a space after its scheme.
    private func token(_ word: String, isKey: Bool = false) throws(UsageMistake) -> Secret<String> {
        let token = try secret(word)
        let bytes = token.revealed.utf8
        let isSpaced = isKey && bytes.first != 0x20 && bytes.last != 0x20
        guard !bytes.isEmpty, bytes.allSatisfy({ 0x21...0x7E ~= $0 || isSpaced && $0 == 0x20 }) else {
            throw UsageMistake("the token in --auth is empty or contains a character that is not allowed in a header")
        }
        return token
    }

    /// Parses `KEY`, `Name:KEY` for a header field, or `name==KEY` for a query item, as in items.
    private func key(_ text: String) throws(UsageMistake) -> Plan.Identity {
        let isPlain = SecretWord.isElsewhere(text)
        if !isPlain, let (name, rest) = text.split(at: "="), rest.utf8.first == UInt8(ascii: "="),
            !name.has(anyOf: ":")
        {
            return .queryKey(name: name, try secret(rest.utf8.dropFirst().text))
        }
        if !isPlain, let (name, word) = text.split(at: ":") {
            guard HTTPField.Name(name) != nil else {
                throw UsageMistake("the part of --auth before the colon is not a header field name")
            }
            return .headerKey(name: name, try token(word, isKey: true))
        }
        return .headerKey(name: "X-API-Key", try token(text, isKey: true))
    }

    /// The kind of the value of `--auth`.
    ///
    /// An unknown kind is not quoted: it may be the token, given in the wrong option.
    private func kind() throws(UsageMistake) -> AuthorizationKind {
        guard let name = options.authType?.lowercased() else { return .basic }
        if let kind = AuthorizationKind(named: name) { return kind }
        if name == "ntlm" || name == "negotiate" {
            throw UsageMistake(
                "--auth-type \(name) is not supported",
                hint: "a proxy such as cntlm can handle it for you"
            )
        }
        let shown = IdentityParser.otherKinds.contains(name) ? ", not '\(name)'" : ""
        throw UsageMistake(
            "--auth-type must be one of \(AuthorizationKind.names)\(shown)",
            hint: "for example -A bearer -a TOKEN; for a user agent, write User-Agent:TEXT"
        )
    }
}
