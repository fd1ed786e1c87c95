// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Chapter 5, too: tokens of other kinds, signatures, and passwords from a file.
struct OtherProofs {
    let url: String
    let identities: OAuth2Service
    let server: LoopbackServer

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Keys of other kinds")
        server.addRoutes(install)
        await visitTokens(&guide)
        await guide.step(
            "Each request is signed, its body included (RFC 9421)",
            "signed.authorizers.append(.messageSignature(.hmac(secret), keyID: \"atlas\"))\ntry await signed.post(order)"
        ) {
            let signed = Resource("\(url)/signed")
            signed.authorizers.append(.messageSignature(.hmac("a shared secret"), keyID: "atlas"))
            let covered = try await signed.post(["item": 7], as: String.self)
            try promise(covered.has("\"content-digest\"") && covered.has("keyid=\"atlas\""), covered)
            return covered
        }
        await guide.step(
            "A registry names the service that issues its tokens",
            "registry.authorizers.append(RegistryAuthorizer(tokens: tokens))\ntry await registry[\"atlas/manifests/1\"].get()"
        ) {
            let tokens = Resource("\(url)/registry/tokens")
            tokens.credentials = Credentials(user: "ada", password: "lovelace")
            let registry = Resource("\(url)/v2")
            registry.authorizers.append(RegistryAuthorizer(tokens: tokens))
            let first = try await registry["atlas/manifests/1"].get().requireSuccess()
            let second = try await registry["atlas/manifests/1"].get().requireSuccess()
            try promise(first.attempts.count == 2 && second.attempts.count == 1, "\(first.attempts) \(second.attempts)")
            let counts = [first, second].map { "\($0.attempts.count)" }.joined(separator: ", then ")
            return "\(first.text ?? "")\nrequests: \(counts)"
        }
        await guide.step(
            "Passwords from a .netrc file, if nobody else can read it",
            "try Authorizing.netrc(site: site, path: path)"
        ) { try await netrc() }
    }

    private func visitTokens(_ guide: inout TourGuide) async {
        await guide.step(
            "A token in exchange for another, for a second service (RFC 8693)",
            """
            let exchange = TokenExchange(subject: { try await account.token(for: book) }, audience: "archive")
            archive.authorizers.append(.oauth2(.exchange(exchange, client: "cli"), tokens: "\(url)/oauth/token"))
            """
        ) {
            let book = Resource("\(url)/atlas")
            let account = OAuth2Authorizer(
                .password(user: "ada", "lovelace", client: "cli"),
                server: .endpoints(tokens: "\(url)/oauth/token")
            )
            book.authorizers.append(account)
            let exchange = TokenExchange(subject: { try await account.token(for: book) }, audience: "archive")
            let archive = Resource("\(url)/atlas")
            archive.authorizers.append(.oauth2(.exchange(exchange, client: "cli"), tokens: "\(url)/oauth/token"))
            let page = try await archive[3].get(as: String.self)
            try promise(page == "page 3" && identities.count(of: "exchange") == 1, page)
            return page
        }
        await guide.step(
            "A service with its own kind of token: write the one request that gets it",
            """
            club.authorizers.append(.bearer(refreshing: { _ in
                let session = try await club["token"].post(["key": key], as: JSON.self)
                return BearerToken(session["token"].string ?? "", lifetime: .seconds(60))
            }))
            """
        ) {
            let club = Resource("\(url)/club")
            let count = Mutex(0)
            club.authorizers.append(
                .bearer(refreshing: { _ in
                    count.withLock { $0 += 1 }
                    let session = try await club["token"].post(["key": "k1"], as: JSON.self)
                    return BearerToken(session["token"].string ?? "", lifetime: .seconds(60))
                })
            )
            async let (one, two) = (club["me"].get(as: String.self), club["me"].get(as: String.self))
            let names = try await [one, two]
            let renewals = count.withLock(\.self)
            try promise(names == ["Ada", "Ada"] && renewals == 1, "\(names), \(renewals)")
            return "\(names.count) requests, \(renewals) token"
        }
    }

    private func netrc() async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-tour-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "netrc").path
        try Data("machine 127.0.0.1 login ada password lovelace\n".utf8).write(to: folder.appending(path: "netrc"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let site = Resource(url)
        var refusal = ""
        do { try Authorizing.netrc(site: site, path: path) } catch { refusal = "\(error)" }
        try promise(refusal.has("600"), refusal)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try Authorizing.netrc(site: site, path: path)
        let seen = try await site["who"].get(as: String.self)
        try promise(seen.has("Basic"), seen)
        return "with mode 644: refused\nwith mode 600: \(seen)"
    }

    /// A signed place, a registry with its tokens, and a club with tokens of its own.
    private func install(in routes: inout Routes) {
        routes.post("/signed") { request in .text(request.headers["Signature-Input"] ?? "not signed") }
        routes.get("/v2/atlas/manifests/:tag") { request in
            guard request.headers[.authorization] == "Bearer r1" else {
                let place = #"realm="\#(url)/registry/tokens",service="tour",scope="repository:atlas:pull""#
                return .status(.unauthorized, headers: ["WWW-Authenticate": "Bearer \(place)"])
            }
            return .json(["schemaVersion": 2, "tag": request.parameters["tag"]])
        }
        routes.get("/registry/tokens") { request in
            // ada:lovelace
            request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl"
                ? .json(["token": "r1", "expires_in": 300]) : .status(.unauthorized)
        }
        routes.post("/club/token") { _ in .json(["token": "c1"]) }
        routes.get("/club/me") { request in
            request.headers[.authorization] == "Bearer c1" ? .text("Ada") : .status(.unauthorized)
        }
    }
}
