// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Signs with AWS Signature Version 4: keys, a scope, and a time.
package struct AWSSigner: Sendable {
    package static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: AWSCredentials
    let timestamp: AWSTimestamp
    let key: AWSSigningKey
    let path: AWSCanonicalRequest.PathRule

    package init(
        _ credentials: AWSCredentials,
        at timestamp: AWSTimestamp,
        _ key: AWSSigningKey,
        path: AWSCanonicalRequest.PathRule? = nil
    ) {
        self.credentials = credentials
        self.timestamp = timestamp
        self.key = key
        self.path = path ?? (key.scope.isObjectStore ? .once : .normalizedTwice)
    }

    /// The signature of a request, and what it covers.
    package struct Proof {
        let canonicalRequest: AWSCanonicalRequest
        let stringToSign: String
        package let signature: String
    }

    package func sign(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        payload: String
    ) -> Proof {
        let request = AWSCanonicalRequest(
            method: method,
            target: target,
            fields: fields,
            payload: payload,
            path: path
        )
        let digest = MessageDigest.hexadecimal(MessageDigest.sha256(of: Array(request.text.utf8)))
        let text = "\(Self.algorithm)\n\(timestamp.text)\n\(key.scope.text)\n\(digest)"
        return Proof(canonicalRequest: request, stringToSign: text, signature: key.signature(of: text))
    }

    /// The value of `Authorization`.
    func authorization(_ proof: Proof) -> String {
        let names = proof.canonicalRequest.signedNames
        return "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(key.scope.text), SignedHeaders=\(names), "
            + "Signature=\(proof.signature)"
    }

    /// The target with its proof in the query; the fields, including `host`, must be sent exactly as given here.
    func presign(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        payload: String,
        seconds: Int64,
        signsToken: Bool = true
    ) -> (target: String, proof: Proof) {
        let names = Set(fields.map(\.name)).sorted().joined(separator: ";")
        let token =
            credentials.sessionToken.map { "&X-Amz-Security-Token=\(PercentEncoding.encode($0.revealed))" } ?? ""
        let credential = PercentEncoding.encode("\(credentials.accessKeyID)/\(key.scope.text)")
        var signed = target + (target.has(anyOf: "?") ? (target.ends(with: "?") ? "" : "&") : "?")
        signed += "X-Amz-Algorithm=\(Self.algorithm)&X-Amz-Credential=\(credential)&X-Amz-Date=\(timestamp.text)"
        signed += "&X-Amz-Expires=\(seconds)&X-Amz-SignedHeaders=\(PercentEncoding.encode(names))"
        if signsToken { signed += token }
        let proof = sign(method: method, target: signed, fields: fields, payload: payload)
        if !signsToken { signed += token }
        return ("\(signed)&X-Amz-Signature=\(proof.signature)", proof)
    }
}
