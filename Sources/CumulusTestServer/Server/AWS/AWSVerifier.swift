// SPDX-License-Identifier: Apache-2.0

package import CumulusAWS
import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Verifies version 4 signatures as a service does, and extracts the payload from signed chunks.
///
/// For stand-ins of services only: comparing signatures doesn't take constant time, so protect nothing real with it.
package struct AWSVerifier: Sendable {
    static let unsigned = "UNSIGNED-PAYLOAD"
    /// The largest accepted difference of a client's clock, in seconds.
    private static let tolerance: Double = 900

    private let credentials: AWSCredentials

    /// Creates a verifier for one key.
    package init(_ credentials: AWSCredentials) { self.credentials = credentials }

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: Path and query, as received.
    ///   - fields: The header fields in order, `host` among them; names in lower case.
    ///   - body: The body as received.
    ///   - now: The service's time.
    /// - Returns: The payload.
    /// - Throws: The error that a service would report.
    package func payload(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        body: [UInt8],
        at now: Date
    ) throws(AWSError) -> [UInt8] {
        let claim = try AWSClaim(target: target, fields: fields)
        let parts = claim.credential.parts(at: "/")
        guard parts.count == 5, parts[4] == "aws4_request" else { throw Self.denied }
        guard parts[0] == credentials.accessKeyID else { throw AWSError(code: "InvalidAccessKeyId") }
        let age = now.timeIntervalSince1970 - claim.seconds
        if let lifetime = claim.lifetime {
            guard age >= -Self.tolerance, age <= lifetime else {
                throw AWSError(code: "AccessDenied", message: "Request has expired")
            }
        } else if abs(age) > Self.tolerance {
            let message = "The difference between the request time and the current time is too large."
            throw AWSError(code: "RequestTimeTooSkewed", message: message)
        }
        let scope = AWSScope(day: String(parts[1]), region: String(parts[2]), service: String(parts[3]))
        let timestamp = AWSTimestamp(Date(timeIntervalSince1970: claim.seconds))
        guard timestamp.day == scope.day, claim.token.map({ Secret($0) }) == credentials.sessionToken else {
            throw Self.denied
        }
        let signer = AWSSigner(credentials, at: timestamp, AWSSigningKey(credentials.secretAccessKey, scope))
        let covered = Set(claim.signedNames.parts(at: ";").map(String.init))
        let needed = fields.lazy.map(\.name).filter { $0 == "host" || $0.begins(with: "x-amz-") }
        guard needed.allSatisfy(covered.contains) else { throw Self.denied }
        let proof = signer.sign(
            method: method,
            target: claim.target,
            fields: fields.filter { covered.contains($0.name) },
            payload: claim.payload ?? Self.digest(body)
        )
        guard Secret(proof.signature) == claim.signature else {
            throw AWSError(code: "SignatureDoesNotMatch")
        }
        return try Self.unpack(body, claim, signer, fields)
    }

    /// Checks the payload against the proof.
    private static func unpack(
        _ body: [UInt8],
        _ claim: AWSClaim,
        _ signer: AWSSigner,
        _ fields: [(name: String, value: String)]
    ) throws(AWSError) -> [UInt8] {
        guard let word = claim.payload, word != unsigned else { return body }
        guard word.begins(with: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD") else {
            guard word == digest(body) else { throw AWSError(code: "XAmzContentSHA256Mismatch") }
            return body
        }
        let trailer = fields.first { $0.name == "x-amz-trailer" }.flatMap { field in
            AWSTrailingChecksum.allCases.first { $0.name == field.value }
        }
        let length = fields.first { $0.name == "x-amz-decoded-content-length" }.flatMap { Int($0.value) }
        var reader = AWSChunkReader(body, AWSChunkSigner(signer, seed: claim.signature, trailer: trailer))
        guard let payload = reader.payload(), payload.count == length else { throw AWSError(code: "IncompleteBody") }
        return payload
    }

    private static let denied = AWSError(code: "AccessDenied", message: "Access Denied")

    private static func digest(_ body: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: body))
    }
}
