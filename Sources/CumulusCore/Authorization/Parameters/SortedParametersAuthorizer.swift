// SPDX-License-Identifier: Apache-2.0

/// Signs the query: the MD5 of its sorted items and a secret, in an item of its own.
///
/// So did Facebook's first interface, and some services do to this day: each item is written `name=value`, unescaped;
/// they are sorted by name, joined without anything between them, and the secret stands at the end.
package struct SortedParametersAuthorizer: Authorizer {
    private let secret: Secret<String>
    private let name: String

    /// Makes the authorizer.
    ///
    /// - Parameters:
    ///   - secret: What only you and the service know.
    ///   - name: The signature's query item; one that the request has already is left alone.
    package init(secret: Secret<String>, signatureName name: String = "sig") {
        self.secret = secret
        self.name = name
    }

    /// It only computes.
    package var mayWait: Bool { false }

    /// It has one answer, which is sent already.
    package var answersChallenges: Bool { false }

    /// Adds the signature; appended behind an ``APIKeyAuthorizer`` in the query, it signs the key, too.
    package func authorize(_ request: inout EncodedRequest) async throws {
        let items = TargetQuery.items(of: request.target).map { (Array($0.name.utf8), Array($0.value.utf8)) }
        let sorted = items.sorted { left, right in
            left.0 == right.0 ? left.1.lexicographicallyPrecedes(right.1) : left.0.lexicographicallyPrecedes(right.0)
        }
        let text = sorted.flatMap { $0.0 + [UInt8(ascii: "=")] + $0.1 } + Array(secret.revealed.utf8)
        let signature = MessageDigest.hexadecimal(MessageDigest.bytes(of: text, by: .md5))
        request.target = TargetQuery.adding(signature, for: name, to: request.target)
        if !Redaction.isSecret(name) { request.hide(name) }
    }
}
