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

/// The scope of an AWS signature: one day, one region, one service.
package struct AWSScope: Sendable, Hashable {
    package let day: String
    let region: String
    let service: String

    package init(day: String, region: String, service: String) {
        self.day = day
        self.region = region
        self.service = service
    }

    var text: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// Whether the service is S3, which has its own rules for paths and payloads.
    var isObjectStore: Bool { service == "s3" || service == "s3express" || service == "s3-outposts" }
}
