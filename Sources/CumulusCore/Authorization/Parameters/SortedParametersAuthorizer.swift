// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Signs the query, or query and form, with the MD5 of the sorted items and a secret, in an additional item.
///
/// Facebook's first API did this, and some services still do: each item is written `name=value`, unescaped; the items
/// are sorted by name and joined without separators, and the secret follows.
package struct SortedParametersAuthorizer: Authorizer {
    private let secret: Secret<String>
    private let name: String

    /// Creates the authorizer.
    ///
    /// - Parameters:
    ///   - secret: The secret shared with the service.
    ///   - name: The signature's query item; an existing one is left unchanged.
    package init(secret: Secret<String>, signatureName name: String = "sig") {
        self.secret = secret
        self.name = name
    }

    /// False, since it only computes.
    package var mayWait: Bool { false }

    /// False, since it has no other credentials than those already sent.
    package var respondsToChallenges: Bool { false }

    /// The secret, and the item's name.
    package var identity: AuthorizerIdentity? { AuthorizerIdentity("sorted parameters", Secret(name), secret) }

    /// Adds the signature, to the form if the body is one.
    ///
    /// If it is appended after an ``APIKeyAuthorizer`` in the query, the signature covers the key as well.
    package func authorize(_ request: inout EncodedRequest) async throws {
        let form = SortedParametersAuthorizer.form(of: request)
        let given = TargetQuery.items(of: request.target) + (form.map { TargetQuery.items(of: $0) } ?? [])
        let items = given.map { (Array($0.name.utf8), Array($0.value.utf8)) }
        let sorted = items.sorted { left, right in
            left.0 == right.0 ? left.1.lexicographicallyPrecedes(right.1) : left.0.lexicographicallyPrecedes(right.0)
        }
        let text = sorted.flatMap { $0.0 + [UInt8(ascii: "=")] + $0.1 } + Array(secret.revealed.utf8)
        let signature = MessageDigest.hexadecimal(MessageDigest.bytes(of: text, by: .md5))
        let isSigned = given.contains { $0.name == name }
        if let form, !isSigned {
            let signed = TargetQuery.adding(signature, for: name, to: form)
            request.body = .bytes(ByteChunk(String(decoding: signed.utf8.dropFirst(), as: UTF8.self)))
        } else if !isSigned {
            request.target = TargetQuery.adding(signature, for: name, to: request.target)
        }
        if !Redaction.isSecret(name) { request.hide(name) }
    }

    /// A form in memory, as a query: `?title=a`; `nil` for any other body.
    private static func form(of request: EncodedRequest) -> String? {
        guard case .bytes(let bytes) = request.body,
            let type = request.headers[.contentType].flatMap({ MediaType(parsing: $0) }),
            type.essence == MediaType.form.essence
        else { return nil }
        return "?" + bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
