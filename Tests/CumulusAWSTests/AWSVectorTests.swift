// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import Testing

@testable import CumulusAWS

/// All requests in the suites of AWS's C library and of botocore.
@Suite struct AWSVectorTests {
    private let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    private func digest(_ text: String) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: Array(text.utf8)))
    }

    private func signer(_ context: JSON) throws -> AWSSigner {
        let keys = context["credentials"]
        let credentials = AWSCredentials(
            accessKeyID: try #require(keys["access_key_id"].string),
            secretAccessKey: Secret(try #require(keys["secret_access_key"].string)),
            sessionToken: keys["token"].string.map { Secret($0) }
        )
        let time = AWSTimestamp(try Date(try #require(context["timestamp"].string), strategy: .iso8601))
        let scope = AWSScope(
            day: String(time.day),
            region: try #require(context["region"].string),
            service: try #require(context["service"].string)
        )
        return AWSSigner(
            credentials,
            at: time,
            AWSSigningKey(credentials.secretAccessKey, scope),
            path: context["normalize"].bool == true ? .normalizedTwice : .twice
        )
    }

    @Test(.enabled(if: !AWSVector.common.isEmpty || !AWSVector.botocore.isEmpty, "needs the aws-sigv4 vectors"))
    func allAreThere() {
        #expect(AWSVector.common.count == 38)
        #expect(AWSVector.botocore.count == 34)
    }

    @Test(.enabled(if: !AWSVector.common.isEmpty, "needs the aws-sigv4 vectors"), arguments: AWSVector.common)
    func inHeaders(vector: AWSVector) throws {
        let context = try JSON(parsing: vector.text("context.json"))
        let signer = try signer(context)
        let request = AWSVector.Request(try vector.text("request.txt"))
        let payload = digest(request.body)
        var fields = request.fields + [("x-amz-date", signer.timestamp.text)]
        if context["sign_body"].bool == true { fields.append(("x-amz-content-sha256", payload)) }
        if let token = signer.credentials.sessionToken, context["omit_session_token"].bool != true {
            fields.append(("x-amz-security-token", token.revealed))
        }
        let proof = signer.sign(method: request.method, target: request.target, fields: fields, payload: payload)
        #expect(proof.canonicalRequest.text == (try vector.text("header-canonical-request.txt")))
        #expect(proof.stringToSign == (try vector.text("header-string-to-sign.txt")))
        #expect(proof.signature == (try vector.text("header-signature.txt")))
        #expect(try vector.text("header-signed-request.txt").contains("Authorization:\(signer.authorization(proof))\n"))
    }

    @Test(.enabled(if: !AWSVector.common.isEmpty, "needs the aws-sigv4 vectors"), arguments: AWSVector.common)
    func inTheQuery(vector: AWSVector) throws {
        let context = try JSON(parsing: vector.text("context.json"))
        let signer = try signer(context)
        let request = AWSVector.Request(try vector.text("request.txt"))
        let (target, proof) = signer.presign(
            method: request.method,
            target: request.target,
            fields: request.fields,
            payload: digest(context["sign_body"].bool == true ? request.body : ""),
            seconds: Int64(try #require(context["expiration_in_seconds"].int)),
            signsToken: context["omit_session_token"].bool != true
        )
        #expect(proof.canonicalRequest.text == (try vector.text("query-canonical-request.txt")))
        #expect(proof.stringToSign == (try vector.text("query-string-to-sign.txt")))
        #expect(proof.signature == (try vector.text("query-signature.txt")))
        // The order of the items is up to the signer.
        func items(_ target: String) -> Set<String> {
            Set((target.cut(at: "?")?.behind ?? "").split(separator: "&").map(String.init))
        }
        let signed = AWSVector.Request(try vector.text("query-signed-request.txt"))
        #expect(items(target) == items(signed.target))
    }

    @Test(.enabled(if: !AWSVector.botocore.isEmpty, "needs the aws-sigv4 vectors"), arguments: AWSVector.botocore)
    func ofBotocore(vector: AWSVector) throws {
        let request = AWSVector.Request(try vector.text("\(vector.name).req"))
        let expected = try vector.text("\(vector.name).authz")
        var fields = request.fields
        var token: String?
        let canonical = try vector.text("\(vector.name).creq")
        // Only the result of one case shows that the keys are temporary.
        if !fields.contains(where: { $0.name == "x-amz-security-token" }), canonical.contains("x-amz-security-token:") {
            let line = canonical.components(separatedBy: "\n").first { $0.hasPrefix("x-amz-security-token:") }
            token = line.map { String($0.dropFirst("x-amz-security-token:".count)) }
            fields.append(("x-amz-security-token", token ?? ""))
        }
        let credentials = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret(secret))
        let time = AWSTimestamp(try Date("2015-08-30T12:36:00Z", strategy: .iso8601))
        let scope = AWSScope(day: "20150830", region: "us-east-1", service: "service")
        let signer = AWSSigner(credentials, at: time, AWSSigningKey(credentials.secretAccessKey, scope))
        let proof = signer.sign(
            method: request.method,
            target: request.target,
            fields: fields,
            payload: digest(request.body)
        )
        #expect(proof.canonicalRequest.text == canonical)
        #expect(proof.stringToSign == (try vector.text("\(vector.name).sts")))
        #expect(signer.authorization(proof) == expected)
    }
}
