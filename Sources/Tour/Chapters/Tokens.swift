// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

/// Chapter 5: tokens are obtained, renewed once for all requests, and revoked.
struct Tokens {
    let url: String
    let identities: OAuth2Service

    /// A place that wants tokens.
    static func install(in routes: inout Routes, _ identities: OAuth2Service) {
        routes.get("/atlas/:page") { request in
            guard identities.accepts(request) else {
                var refusal = ServerResponse.json("{}", status: .unauthorized)
                refusal.headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
                return refusal
            }
            return .text("page \(request.parameters["page"] ?? "")")
        }
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Tokens")
        let (url, identities) = (url, identities)
        let atlas = Resource("\(url)/atlas")
        await guide.step(
            "A program signs in with its first request",
            """
            atlas.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: secret), tokens: "\(url)/oauth/token"))
            try await atlas[1].get(as: String.self)
            """
        ) {
            atlas.authorizers.append(
                .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "\(url)/oauth/token")
            )
            let page = try await atlas[1].get(as: String.self)
            try promise(page == "page 1", page)
            return page
        }
        let book = Resource("\(url)/atlas")
        let account = OAuth2Authorizer(
            .deviceCode(client: "cli") { _ in identities.decide(true) },
            server: .issuer(url)
        )
        await guide.step(
            "A user signs in on another device; the server describes itself",
            """
            let account = OAuth2Authorizer(
                .deviceCode(client: "cli") { print("Open \\($0.url) and type \\($0.code)") },
                server: .issuer("\(url)"))
            try await account.logIn(for: book)
            """
        ) {
            book.authorizers.append(account)
            try await account.logIn(for: book)
            return try await book[2].get(as: String.self)
        }
        await guide.step(
            "The tokens end, and 200 requests cause one refresh",
            "for page in 1...200 { group.addTask { try await book[page].get(as: String.self) } }"
        ) {
            identities.expireAccessTokens()
            let before = identities.count(of: "refresh_token")
            let pages = try await withThrowingTaskGroup(of: String.self) { group in
                for page in 1...200 { group.addTask { try await book[page].get(as: String.self) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            let refreshes = identities.count(of: "refresh_token") - before
            try promise(pages.count == 200 && refreshes == 1, "\(pages.count) pages, \(refreshes) refreshes")
            return "\(pages.count) pages, \(refreshes) refresh"
        }
        await guide.step("Signing out revokes the tokens", "try await account.logOut(for: book)") {
            try await account.logOut(for: book)
            let error = try await failure { try await book[1].get() }
            try promise(identities.revocations == 1 && error.code == .authorization, "\(error)")
            return "\(error)"
        }
    }
}
