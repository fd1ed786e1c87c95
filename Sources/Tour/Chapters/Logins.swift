// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import CumulusTesting
import Foundation
import Synchronization

/// Chapter 5, too: logins in a browser, tokens in a file, sessions that end, and servers that a service names.
struct Logins {
    let url: String
    let identities: OAuth2Service
    let server: LoopbackServer

    func visit(_ guide: inout TourGuide) async {
        server.addRoutes(install)
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-tour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileTokenStore(folder.appending(path: "token.json"))
        let ends = Mutex<[String]>([])
        let grant = OAuth2Grant.authorizationCode(client: "cli", receiver: LoopbackReceiver()) { page in
            // A browser would show it, and the user would sign in there.
            _ = try await Resource(page).get().requireSuccess()
        }
        let account = OAuth2Authorizer(grant, server: .issuer(url), store: store) { event in
            if case .ended(let why) = event { ends.withLock { $0.append("\(why)") } }
        }
        let book = Resource("\(url)/atlas")
        book.authorizers.append(account)
        await visitBrowser(&guide, book)
        await visitFile(&guide, store)
        await guide.step(
            "The server ends the session: 20 requests fail, and the program is told once",
            """
            let account = OAuth2Authorizer(grant, server: .issuer("\(url)"), store: store) { event in
                if case .ended(let why) = event { print("sign in again: \\(why)") }
            }
            """
        ) {
            identities.revokeEverything()
            let causes = await Self.causes(of: 20, book)
            let told = ends.withLock(\.self)
            try promise(causes.allSatisfy { $0?.code == .ended } && told.count == 1, "\(causes) \(told)")
            try await account.logIn(for: book)
            return "\(told[0])\nafter another login: \(try await book[1].get(as: String.self))"
        }
        await visitAnnounced(&guide)
    }

    /// Why requests failed; `nil` for those that didn't.
    private static func causes(of count: Int, _ book: Resource) async -> [OAuth2Error?] {
        await withTaskGroup(of: OAuth2Error?.self) { group in
            for page in 1...count {
                group.addTask {
                    do {
                        _ = try await book[page].get()
                        return nil
                    } catch {
                        return (error as? CumulusError)?.cause as? OAuth2Error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func visitBrowser(_ guide: inout TourGuide, _ book: Resource) async {
        await guide.step(
            "A user signs in with a browser on this machine",
            """
            let grant = OAuth2Grant.authorizationCode(client: "cli", receiver: LoopbackReceiver()) { page in
                print("Open \\(page)")
            }
            book.authorizers.append(.oauth2(grant, server: .issuer("\(url)"), store: FileTokenStore(path)))
            """
        ) {
            let page = try await book[4].get(as: String.self)
            let logins = identities.count(of: "authorization_code")
            try promise(page == "page 4" && logins == 1, "\(page), \(logins) logins")
            return "\(page), after \(logins) login"
        }
    }

    private func visitFile(_ guide: inout TourGuide, _ store: FileTokenStore) async {
        await guide.step(
            "Another program finds the token in the file",
            "other.authorizers.append(.oauth2(.stored(client: \"cli\"), server: .issuer(\"\(url)\"), store: FileTokenStore(path)))"
        ) {
            let other = Resource("\(url)/atlas")
            other.authorizers.append(.oauth2(.stored(client: "cli"), server: .issuer(url), store: store))
            let page = try await other[5].get(as: String.self)
            let logins = identities.count(of: "authorization_code")
            try promise(page == "page 5" && logins == 1, "\(page), \(logins) logins")
            return "\(page), without another login"
        }
    }

    private func visitAnnounced(_ guide: inout TourGuide) async {
        await guide.step(
            "The service names its server in a refusal; a secret only goes to an issuer that you allow (RFC 9728)",
            "hidden.authorizers.append(.oauth2(grant, server: .announced(oneOf: [\"\(url)\"])))"
        ) {
            let grant = OAuth2Grant.clientCredentials(id: "atlas", secret: "s3cret")
            let hidden = Resource("\(url)/hidden")
            hidden.authorizers.append(.oauth2(grant, server: .announced(oneOf: [url])))
            let answer = try await hidden[7].get().requireSuccess()
            let count = identities.count(of: "client_credentials")
            let wary = Resource("\(url)/hidden")
            wary.authorizers.append(.oauth2(grant, server: .announced(oneOf: ["https://id.example.com"])))
            let error = try await failure { try await wary[7].get() }
            let why = error.cause as? OAuth2Error
            let hasAsked = identities.count(of: "client_credentials") != count
            try promise(answer.attempts.count == 2, "\(answer.attempts)")
            try promise(why?.code == .undeclaredOrigin && !hasAsked, "\(error)")
            return "\(answer.text ?? "")\nwith another issuer: \(why?.message ?? "")"
        }
    }

    /// A place that tells which server issues its tokens.
    private func install(in routes: inout Routes) {
        let (url, identities) = (url, identities)
        routes.get("/hidden/:page") { request in
            guard identities.accepts(request) else {
                let place = "\(url)/.well-known/oauth-protected-resource"
                return .status(.unauthorized, headers: ["WWW-Authenticate": "Bearer resource_metadata=\"\(place)\""])
            }
            return .text("page \(request.parameters["page"] ?? "")")
        }
        routes.get("/.well-known/oauth-protected-resource") { _ in
            .json(#"{"resource":"\#(url)/hidden","authorization_servers":["\#(url)"]}"#)
        }
    }
}
