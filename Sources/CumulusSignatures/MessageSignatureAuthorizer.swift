// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests with HTTP Message Signatures (RFC 9421), and their content with `Content-Digest` (RFC 9530).
///
///     site.setRules { $0.authorizers.append(.messageSignature(.hmac(secret), keyID: "atlas")) }
///
/// Each attempt is signed again. Signatures with other labels are kept.
package struct MessageSignatureAuthorizer: Authorizer {
    /// The components that are covered by default; fields only if the request has them.
    private static let usual: [SignatureComponent] = [
        .method, .authority, .path, .query, "content-type", "content-digest",
    ]

    private let signer: any MessageSigner
    private let keyID: String?
    private let options: MessageSignatureOptions
    private let time: @Sendable () -> Date
    /// The key, which doesn't change; no other authorizer is known to have the same one.
    package let identity: AuthorizerIdentity? = .unique()

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - signer: The key.
    ///   - keyID: The server's name for the key.
    ///   - options: The components that the signature covers, and its parameters.
    ///   - time: The current time; for tests.
    package init(
        _ signer: some MessageSigner,
        keyID: String?,
        options: MessageSignatureOptions = MessageSignatureOptions(),
        time: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.signer = signer
        self.keyID = keyID
        self.options = options
        self.time = time
    }

    /// A century: seconds since 1970 can't express any lifetime.
    private static let longestLifetime = Duration.seconds(100 * 365 * 86_400)

    /// Whether its signer may.
    package var mayWait: Bool { signer.mayWait }

    /// Whether signatures have a nonce.
    package var hasSingleUseCredentials: Bool { options.hasNonce }

    /// False: there is no better proof.
    package var respondsToChallenges: Bool { false }

    /// Adds `Content-Digest` if it is covered, `Signature-Input` and `Signature`.
    package func authorize(_ request: inout EncodedRequest) async throws {
        let now = HTTPDate(time())
        let lifetime = options.lifetime.map { min($0, Self.longestLifetime).components.seconds }
        try await complete(&request, at: now)
        let message = SignedMessage(request)
        let parameters = SignatureParameters(
            components: options.components ?? Self.usual.filter(message.has),
            created: options.tellsTime ? now.secondsSince1970 : nil,
            expires: lifetime.map { now.secondsSince1970 + $0 },
            keyID: keyID,
            algorithm: options.namesAlgorithm ? signer.algorithm : nil,
            nonce: options.hasNonce ? Self.nonce() : nil,
            tag: options.tag
        )
        let base = try parameters.base(of: message)
        let signature = try await signer.signature(of: Array(base.utf8))
        try request.add("Signature-Input", "\(options.checkedLabel())=\(parameters.text())")
        try request.add("Signature", "\(options.checkedLabel())=:\(Data(signature).base64EncodedString()):")
    }

    /// Adds the covered fields that can be computed here.
    private func complete(_ request: inout EncodedRequest, at now: HTTPDate) async throws {
        let names = Set((options.components ?? Self.usual).map(\.name))
        if names.contains("date"), request.headers[.date] == nil { request.headers[.date] = now.description }
        let isBare = if case .none = request.body { options.components == nil } else { false }
        guard names.contains("content-digest"), !isBare, let name = HTTPField.Name("Content-Digest"),
            request.headers[name] == nil
        else { return }
        request.headers[name] = try await options.digest.value(of: request.body)
    }

    private static func nonce() -> String {
        var numbers = SystemRandomNumberGenerator()
        return Data((0..<18).map { _ in UInt8.random(in: 0...255, using: &numbers) }).base64EncodedString()
    }
}

extension BoundAuthorizer {
    /// Creates an authorizer for HTTP Message Signatures (RFC 9421), with the content covered by `Content-Digest` (RFC
    /// 9530).
    ///
    ///     site.setRules { $0.authorizers.append(.messageSignature(.hmac(secret), keyID: "atlas")) }
    ///
    /// Each attempt is signed again. Signatures with other labels are kept.
    ///
    /// - Parameters:
    ///   - signer: The signer with the key: `.hmac(secret)`, or another signer of CumulusSignatures.
    ///   - keyID: The server's name for the key.
    ///   - options: The components that the signature covers, and its parameters.
    ///   - time: The current time, for tests.
    /// - Returns: The authorizer.
    public static func messageSignature(
        _ signer: some MessageSigner,
        keyID: String?,
        options: MessageSignatureOptions = MessageSignatureOptions(),
        time: @escaping @Sendable () -> Date = { Date() }
    ) -> BoundAuthorizer {
        .custom(MessageSignatureAuthorizer(signer, keyID: keyID, options: options, time: time))
    }
}

extension EncodedRequest {
    /// Adds a member to a dictionary of structured fields.
    fileprivate mutating func add(_ name: String, _ member: String) throws {
        guard let name = HTTPField.Name(name) else { return }
        headers[name] = headers[name].map { "\($0), \(member)" } ?? member
    }
}
