// SPDX-License-Identifier: Apache-2.0

import Crypto
import Cumulus
import CumulusNIO
import CumulusSignatures
import CumulusTesting
import Foundation
import HTTPTypes

/// Chapter 4, too: signatures, the certificate of a server that is still being developed, and one of your own.
struct OwnProofs {
    func visit(_ guide: inout TourGuide) async {
        await visitSignatures(&guide)
        await visitCertificates(&guide)
    }

    private func visitSignatures(_ guide: inout TourGuide) async {
        await guide.step(
            "Your own authorizer: a signature",
            "site.authorizers.append(SigningAuthorizer(keyID: \"k1\", sign: sign))\ntry await site[\"orders\"].get()"
        ) {
            try await withLoopbackServer(routes: { routes in
                routes.get("/orders") { request in
                    request.headers[.authorization] == "Signature k1:GET /orders, sealed"
                        ? .text("3 orders") : ServerResponse(.unauthorized)
                }
            }) { server in
                let site = Resource(server.url)
                let unsigned = try await site["orders"].get()
                Authorizing.own(site: site) { "\($0), sealed" }
                let signed = try await site["orders"].get()
                try promise(unsigned.status == .unauthorized && signed.text == "3 orders", "\(unsigned) \(signed)")
                return "without: \(unsigned.status)\nwith: \(signed.text ?? "")"
            }
        }
        await guide.step(
            "A key of your own signs, and the service verifies with the public one (Ed25519)",
            "site.authorizers.append(.messageSignature(try .ed25519(pem: pem), keyID: \"atlas\"))\n"
                + "try await site[\"orders\"].post([\"item\": 7])"
        ) { try await Self.ed25519() }
    }

    private static func ed25519() async throws -> String {
        let signer = Ed25519Signer.generate()
        let known = signer.publicKey
        return try await withLoopbackServer(routes: { routes in
            routes.post("/orders") { request in
                try Self.isSigned(request, by: known) ? .text("accepted: \(request.text)") : .status(.unauthorized)
            }
        }) { server in
            let site = Resource(server.url)
            site.authorizers = [.messageSignature(signer, keyID: "atlas")]
            let accepted = try await site["orders"].post(["item": 7]).requireSuccess()
            site.authorizers = [.messageSignature(Ed25519Signer.generate(), keyID: "atlas")]
            let forged = try await site["orders"].post(["item": 7])
            try promise(accepted.text == "accepted: {\"item\":7}", "\(accepted.text ?? "")")
            try promise(forged.status == .unauthorized, "\(forged)")
            return "\(accepted.text ?? "")\nwith another key: \(forged.status)"
        }
    }

    /// Verifies a signature as a service does: over the parts that its input names (RFC 9421 section 3.2), and the body
    /// by its digest (RFC 9530).
    private static func isSigned(_ request: ServerRequest, by known: [UInt8]) throws -> Bool {
        let input = request.headers["Signature-Input"]?.cut(at: "=")?.behind ?? ""
        let parts = request.headers["Signature"]?.parts(at: ":") ?? []
        guard parts.count == 3, let signature = Data(base64Encoded: String(parts[1])) else { return false }
        let names = input.before(")").dropping("(").parts(at: " ").map { $0.dropping("\"").before("\"") }
        let lines = names.map { name in
            let value: String =
                switch name {
                case "@method": request.method.rawValue
                case "@authority": request.headers["Host"] ?? ""
                case "@path": request.path
                case "@query": "?\(request.query ?? "")"
                default: request.headers[String(name)] ?? ""
                }
            return "\"\(name)\": \(value)"
        }
        let base = (lines + ["\"@signature-params\": \(input)"]).joined(separator: "\n")
        let digest = Data(SHA256.hash(data: Data(request.body))).base64EncodedString()
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: Data(known))
        return input.has("\"content-digest\"") && request.headers["Content-Digest"] == "sha-256=:\(digest):"
            && key.isValidSignature(signature, for: Data(base.utf8))
    }

    private func visitCertificates(_ guide: inout TourGuide) async {
        await guide.step(
            "A development server's own certificate is trusted, and no other",
            "configuration.tls.trustRoots = .pem(certificate)\ntry await site.get()"
        ) {
            let identity = try ServerTLS.selfSigned()
            return try await withLoopbackServer(tls: identity, routes: { $0.get("/") { _ in .text("hello") } }) {
                server in
                var configuration = NIOTransport.Configuration()
                configuration.tls.trustRoots = .pem(Array(identity.rootPEM.utf8))
                let trusting = NIOTransport(configuration: configuration)
                let stranger = NIOTransport()
                let text = try await Resource(server.url, transport: trusting).get(as: String.self)
                let refusal = try await failure { try await Resource(server.url, transport: stranger).get() }
                await trusting.shutdown()
                await stranger.shutdown()
                try promise(text == "hello" && refusal.code == .tls, "\(text) \(refusal)")
                return "with its certificate: \(text)\nwithout: \(refusal)"
            }
        }
        await guide.step(
            "A client certificate, for the one origin that may see it",
            "configuration.tls.identities[partner] = try .init(certificateFile: \"me.pem\", keyFile: \"me.key\")\n"
                + "try await site.get()"
        ) { try await Self.clientCertificate() }
    }

    private static func clientCertificate() async throws -> String {
        let authority = try TestCertificateAuthority()
        let me = try authority.issue(hosts: ["me"])
        var tls = try ServerTLS.issued(by: authority)
        tls.clientRootPEM = authority.rootPEM
        return try await withLoopbackServer(tls: tls, routes: { $0.get("/") { _ in .text("let in") } }) { server in
            var configuration = NIOTransport.Configuration()
            configuration.tls.trustRoots = .pem(Array(authority.rootPEM.utf8))
            let anonymous = NIOTransport(configuration: configuration)
            let partner = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            configuration.tls.identities[partner] = .init(
                certificateChain: Array(me.certificatesPEM.joined(separator: "\n").utf8),
                privateKey: Array(me.privateKeyPEM.utf8)
            )
            let known = NIOTransport(configuration: configuration)
            let text = try await Resource(server.url, transport: known).get(as: String.self)
            let stranger = Resource(server.url, transport: anonymous)
            stranger.retry = nil
            let refusal = try await failure { try await stranger.get() }
            await known.shutdown()
            await anonymous.shutdown()
            try promise(text == "let in" && server.requests.count == 1, "\(text) \(server.requests.count)")
            return "with it: \(text)\nwithout: \(refusal)"
        }
    }
}
