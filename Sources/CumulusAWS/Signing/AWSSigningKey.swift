// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import CumulusPrimitives

/// The key that is derived for a scope; the secret itself signs only this derivation.
package struct AWSSigningKey: Sendable {
    let scope: AWSScope
    private let key: HMAC

    package init(_ secret: Secret<String>, _ scope: AWSScope) {
        self.scope = scope
        var key = Array("AWS4\(secret.revealed)".utf8)
        for word in [scope.day, scope.region, scope.service, "aws4_request"] {
            key = HMAC(.sha256, key: key).code(of: word.utf8)
        }
        self.key = HMAC(.sha256, key: key)
    }

    /// The signature of a text, in hexadecimal digits.
    func signature(of text: String) -> String { MessageDigest.hexadecimal(key.code(of: text.utf8)) }
}
