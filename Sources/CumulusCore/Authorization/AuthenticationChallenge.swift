// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
package import HTTPTypes

/// One challenge of a `WWW-Authenticate` field: a scheme with its parameters or a token (RFC 9110 section 11.3).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// A parameter of a challenge.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value, without quotes; bytes that aren't UTF-8 are replaced by U+FFFD.
        public var value: String { text.text }
        /// The value with all its bytes.
        let text: FieldText
    }

    /// The scheme as the server wrote it: `Digest`; ``isScheme(_:)`` compares it.
    public let scheme: String
    /// The parameters in order; each name occurs once.
    public private(set) var parameters: [Parameter] = []
    /// The token that replaces parameters (`token68`); `nil` if the challenge has parameters.
    public private(set) var token: String?

    init(scheme: String) { self.scheme = scheme }

    /// Parses the field's lines, each with one or more challenges.
    ///
    /// Invalid challenges are omitted. If a parameter is repeated, its last value is used, as in other clients. At most
    /// 32 challenges are read, with at most 64 parameters each.
    public static func parse(_ lines: [String]) -> [AuthenticationChallenge] {
        parse(lines.map { FieldText($0) })
    }

    static func parse(_ lines: [FieldText]) -> [AuthenticationChallenge] {
        var parser = ChallengeParser()
        for line in lines { parser.read(line) }
        return parser.finish()
    }

    /// The schemes of a proxy's `Proxy-Authenticate`, each once, for ``ProxyRefusal``.
    package static func proxySchemes(in headers: HTTPFields) -> [String] {
        var schemes: [String] = []
        for challenge in parse(headers[values: .proxyAuthenticate]) where schemes.count < 8 {
            let scheme = PeerText.printable(challenge.scheme, limit: 40)
            if !schemes.contains(scheme) { schemes.append(scheme) }
        }
        return schemes
    }

    /// Whether the scheme has this name; case doesn't matter.
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// A parameter's value, by its name in any case; `nil` if it is missing.
    public subscript(name: String) -> String? { text(of: name)?.text }

    /// A parameter's value with all its bytes.
    func text(of name: String) -> FieldText? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.text
    }

    /// The name of the protection space (`realm`).
    public var realm: String? { self["realm"] }

    mutating func set(_ parameter: Parameter) {
        if let index = parameters.firstIndex(where: { $0.name == parameter.name }) {
            parameters[index] = parameter
        } else {
            parameters.append(parameter)
        }
    }

    mutating func set(token: String) { self.token = token }
}

extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme and realm, safe to print.
    public var description: String {
        PeerText.printable(realm.map { "\(scheme) for \"\($0)\"" } ?? scheme)
    }
}
