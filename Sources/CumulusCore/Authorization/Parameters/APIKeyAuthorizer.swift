// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// An API key in a header field or a query item.
///
/// A key in the query is added to each request when it is sent, so redirects, `response.request` and errors don't
/// contain it. Servers and proxies may still write it to their logs, so prefer a header field if there is a choice.
/// Logs and `curl()` hide it, regardless of its name, even if a redirect repeats it.
package struct APIKeyAuthorizer: Authorizer {
    private enum Place {
        /// The name is `nil` if it is not a token; the field is `nil` if the key isn't allowed in a header.
        case header(HTTPField.Name?, Secret<HTTPField>?)
        case query(String)
    }

    private let key: Secret<String>
    private let place: Place
    /// Whether the name alone shows that the value is a secret.
    private let isKnownSecret: Bool

    /// Creates a key in a header field; the request's own field with that name takes precedence.
    package init(_ key: Secret<String>, header name: Headers.Name) {
        self.key = key
        let text = key.revealed
        let name = HTTPField.Name(name.text)
        // A key with a scheme contains a space: `Token 9944b09199c6`. Recipients drop blanks at the ends.
        let isSendable =
            !text.isEmpty && text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text.utf8.first != 0x20
            && text.utf8.last != 0x20
        place = .header(name, isSendable ? name.map { Secret(HTTPField(name: $0, value: text)) } : nil)
        isKnownSecret = name.map { Redaction.isSecret($0.rawName) } ?? true
    }

    /// Creates a key in a query item; the request's own item with that name takes precedence.
    package init(_ key: Secret<String>, query name: String) {
        self.key = key
        place = .query(name)
        isKnownSecret = Redaction.isSecret(name)
    }

    /// False, since it never waits.
    package var mayWait: Bool { false }

    /// False, since it has no other credentials than those already sent.
    package var respondsToChallenges: Bool { false }

    /// Adds the key.
    package func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        let name: String
        switch place {
        case .header(_, let field):
            guard let field else { return false }
            request.headers.addIfMissing(field.revealed)
            name = field.revealed.name.rawName
        case .query(let item):
            request.target = TargetQuery.adding(key.revealed, for: item, to: request.target)
            name = item
        }
        if !isKnownSecret { request.hide(name) }
        return true
    }

    /// The key, and its position in the request.
    package var identity: AuthorizerIdentity? {
        switch place {
        case .header(let name, _):
            AuthorizerIdentity("API key", Secret("header"), Secret(name?.canonicalName ?? ""), key)
        case .query(let name): AuthorizerIdentity("API key", Secret("query"), Secret(name), key)
        }
    }

    /// Adds the key.
    package func authorize(_ request: inout EncodedRequest) async throws {
        if authorizeAtOnce(&request) { return }
        if case .header(nil, _) = place {
            throw AuthorizationProblem("the name of the API key's header field is not a token")
        }
        throw AuthorizationProblem("the API key is empty or contains a character that is not allowed in a header")
    }
}

/// Reads and extends the query of an encoded target.
enum TargetQuery {
    /// The target with an item appended to its query, unless it already has one with that name.
    static func adding(_ value: String, for name: String, to target: String) -> String {
        guard !items(of: target).contains(where: { $0.name == name }) else { return target }
        let separator = !target.has("?") ? "?" : target.ends(with: "?") || target.ends(with: "&") ? "" : "&"
        return "\(target)\(separator)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// The items, decoded as in forms.
    static func items(of target: String) -> [(name: String, value: String)] {
        guard let query = target.cut(at: "?")?.behind else { return [] }
        return query.parts(at: "&", omitsEmpty: true).map { item in
            let (name, value) = item.cut(at: "=") ?? (item, "")
            return (decoded(name), decoded(value))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedBytes(of: bytes), as: UTF8.self)
    }
}
