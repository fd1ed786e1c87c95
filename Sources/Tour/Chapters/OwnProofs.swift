// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import CumulusTesting
import HTTPTypes

/// Chapter 4, too: a signature of your own, and the certificate of a server that is still being developed.
struct OwnProofs {
    func visit(_ guide: inout TourGuide) async {
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
    }
}
