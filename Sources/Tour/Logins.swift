// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth
import CumulusTestServer

/// Passwords and tokens, each for one origin.
struct Logins {
    let url: String
    let identities: OAuth2Service

    func visit(_ guide: inout TourGuide) async throws {
        guide.chapter("Logins")
        try await visitPasswords(&guide)
        try await visitTokens(&guide)
    }

    private func visitPasswords(_ guide: inout TourGuide) async throws {
        let site = Resource(url)
        try await guide.step(
            "A user and a password; nothing prints them",
            "site.setRules { $0.credentials = Credentials(user: \"ada\", password: password) }\n"
                + "try await site[\"me\"].get(as: JSON.self)"
        ) {
            site.setRules { $0.credentials = Credentials(user: "ada", password: "lovelace") }
            let me = try await site["me"].get(as: JSON.self)
            let printed = site.credentials.map { "\($0)" } ?? ""
            try check(me["name"].string == "Ada" && !printed.utf8.contains("lovelace".utf8), "\(me) \(printed)")
            return "\(me), by \(printed)"
        }
        try await guide.step(
            "A redirect to another origin doesn't carry them",
            "try await site[\"away\"].get(as: String.self)"
        ) {
            let (here, away) = (try await site["who"].get(as: String.self), try await site["away"].get(as: String.self))
            try check(here.utf8.contains("Basic".utf8) && away.utf8.contains("no credentials".utf8), "\(here), \(away)")
            return "\(here); \(away)"
        }
    }

    private func visitTokens(_ guide: inout TourGuide) async throws {
        let atlas = Resource("\(url)/atlas")
        try await guide.step(
            "OAuth 2: the first request gets the token that it needs",
            "let login = OAuth2Grant.clientCredentials(id: \"atlas\", secret: secret)\n"
                + "atlas.setRules { $0.authorizers = [.oauth2(login, tokens: \"\(url)/oauth/token\")] }"
        ) {
            let login = OAuth2Grant.clientCredentials(id: "atlas", secret: "s3cret")
            atlas.setRules { $0.authorizers = [.oauth2(login, tokens: "\(url)/oauth/token")] }
            let page = try await atlas[1].get(as: String.self)
            try check(page == "page 1", page)
            return page
        }
        try await guide.step(
            "The token expires, 50 requests are refused at once, and one login serves all of them",
            "for page in 1...50 { group.addTask { try await atlas[page].get(as: String.self) } }"
        ) {
            let before = identities.count(of: "client_credentials")
            identities.expireAccessTokens()
            let pages = try await withThrowingTaskGroup(of: String.self) { group in
                for page in 1...50 { group.addTask { try await atlas[page].get(as: String.self) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            let logins = identities.count(of: "client_credentials") - before
            try check(pages.count == 50 && logins == 1, "\(pages.count) pages, \(logins) logins")
            return "\(pages.count) pages, \(logins) login"
        }
    }
}

/// The tour's places that want to know who asks: by a password, and by a token.
struct AccountService {
    let identities: OAuth2Service

    func install(in routes: inout Routes) {
        let identities = identities
        routes.get("/me") { request in
            // ada:lovelace
            request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl"
                ? .json(["name": "Ada", "admin": true]) : .status(.unauthorized)
        }
        routes.get("/who") { request in
            let host = request.headers["Host"] ?? ""
            return .text("\(host) received \(request.headers[.authorization] == nil ? "no credentials" : "Basic")")
        }
        // The same server by another name is another origin.
        routes.get("/away") { request in
            let port = request.headers["Host"]?.utf8.split(separator: UInt8(ascii: ":")).last
            return .redirect(to: "http://localhost:\(port.flatMap { String($0) } ?? "80")/who")
        }
        routes.get("/atlas/:page") { request in
            guard identities.accepts(request) else {
                return .status(.unauthorized, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            }
            return .text("page \(request.parameters["page"] ?? "")")
        }
    }
}
