// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes
import Synchronization

/// Chapter 4, too: the code of the guide's page on authorization, against a service that tells what it was shown.
struct GuideProofs {
    private static let space: DigestSpace = {
        var options = DigestSpace.Options()
        options.realm = "vault"
        return DigestSpace(user: "ada", password: "lovelace", options: options)
    }()

    func visit(_ guide: inout TourGuide) async {
        await visitCredentials(&guide)
        await visitChallenges(&guide)
        await visitKeys(&guide)
        await visitOrigins(&guide)
    }

    private static func install(in routes: inout Routes) {
        for pattern in ["/shown", "/public/shown"] {
            routes.get(pattern) { request in
                let shown: [String: String?] = [
                    "authorization": request.headers[.authorization], "key": request.headers["X-API-Key"],
                    "query": request.query,
                ]
                return .json(shown)
            }
        }
        routes.get("/vault") { request in space.respond(to: request) { .text("gold") } }
        routes.get("/archive") { request in
            // ada:lovelace
            request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl"
                ? .text("letters")
                : ServerResponse(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"archive\""])
        }
        // The same server by another name is another origin.
        routes.get("/moved") { request in
            .redirect(to: "http://localhost:\(request.headers["Host"]?.cut(atLast: ":")?.behind ?? "80")/shown")
        }
    }

    /// Runs a step's code with such a service.
    private func withService(_ work: (_ site: Resource, _ port: Int) async throws -> String) async throws -> String {
        try await withLoopbackServer(routes: Self.install) { server in
            try await work(Resource(server.url), server.port)
        }
    }

    private func visitCredentials(_ guide: inout TourGuide) async {
        await guide.step(
            "A user and a password, or a token, are a setting",
            "Authorizing.credentials(site: site, password: password)\nAuthorizing.token(site: site, token: token)"
        ) {
            try await withService { site, _ in
                Authorizing.credentials(site: site, password: "lovelace")
                let basic = try await site["shown"].get(as: JSON.self)["authorization"].string
                Authorizing.token(site: site, token: "t0")
                let bearer = try await site["shown"].get(as: JSON.self)["authorization"].string
                let shown = "\(basic ?? "nothing")\n\(bearer ?? "nothing")"
                try promise(basic == "Basic YWRhOmxvdmVsYWNl" && bearer == "Bearer t0", shown)
                return shown
            }
        }
        await guide.step(
            "A part of the tree asks anonymously; a setting tells where it comes from, but no secret",
            "let open = Authorizing.anonymous(site: site)\nprint(site.explain(\\.authorizers))"
        ) {
            try await withService { site, _ in
                Authorizing.token(site: site, token: "t0ken")
                let open = Authorizing.anonymous(site: site)
                let shown = try await open["shown"].get(as: JSON.self)["authorization"]
                var text = ""
                Authorizing.explanation(site: site) { text = "\($0)" }
                try promise(shown == .null && text.has("BearerAuthorizer") && !text.has("t0ken"), "\(shown) \(text)")
                return text
            }
        }
    }

    private func visitChallenges(_ guide: inout TourGuide) async {
        await guide.step(
            "Digest, and Basic that waits until the server asks",
            "let (vault, archive) = Authorizing.whenAsked(site: site, password: password)"
        ) {
            try await withService { site, _ in
                let (vault, archive) = Authorizing.whenAsked(site: site, password: "lovelace")
                var lines: [String] = []
                for place in [vault, archive] {
                    let (first, second) = (try await place.get().requireSuccess(), try await place.get())
                    let reasons = (first.attempts + second.attempts).map(\.reason)
                    try promise(reasons == [.call, .challenge, .call] && second.isSuccessful, "\(reasons) \(second)")
                    lines.append("\(first.text ?? ""): asked once, then \(second)")
                }
                return lines.joined(separator: "\n")
            }
        }
        await guide.step(
            "The program asks its user, once for five requests",
            "Authorizing.asking(site: site) { question in await askUser(question) }"
        ) {
            try await withService { site, _ in
                let questions = Mutex<[String]>([])
                Authorizing.asking(site: site) { question in
                    questions.withLock { $0.append(question) }
                    return Credentials(user: "ada", password: "lovelace")
                }
                let good = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<5 { group.addTask { try await site["vault"].get().isSuccessful } }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                let asked = questions.withLock(\.self)
                try promise(good == 5 && asked.count == 1, "\(good) \(asked)")
                return "\(asked[0])\n\(good) requests succeeded"
            }
        }
    }

    private func visitKeys(_ guide: inout TourGuide) async {
        await guide.step(
            "A key in a header field and in the query, which nothing prints",
            "Authorizing.key(site: site, key: key)\ntry await site[\"shown\"].get()"
        ) {
            try await withService { site, _ in
                Authorizing.key(site: site, key: "k4711")
                let response = try await site["shown"].get()
                let seen = try response.json()
                try promise(seen["key"].string == "k4711" && seen["query"].string == "api_key=k4711", "\(seen)")
                let printed = "\(response.request)\n\(try await site["shown"].curl())"
                try promise(!printed.has("k4711"), printed)
                return "the service saw it in both places\n\(printed)"
            }
        }
    }

    private func visitOrigins(_ guide: inout TourGuide) async {
        await guide.step(
            "Origins of your own share a token, also across redirects; no other gets it",
            "Authorizing.sharing(site: site, token: token)\n"
                + "site.authorizers = [BoundAuthorizer.bearer(token).sharing(with: [other])]"
        ) {
            // The guide's own origins, without a network.
            let transport = StubTransport { request in
                guard request.request.origin.host == "api.example.com" else {
                    return .text("\(request.request.origin.host): \(request.headers[.authorization] ?? "nothing")")
                }
                let place = request.path == "/cat" ? "images.example.com" : "elsewhere.example.com"
                return .response(.found, headers: [.location: "https://\(place)/"])
            }
            let site = Resource("https://api.example.com", transport: transport)
            Authorizing.sharing(site: site, token: "t0")
            let shared = try await site["cat"].get(as: String.self)
            let other = try await site["dog"].get(as: String.self)
            try promise(shared.has("Bearer t0") && other.has("nothing"), "\(shared)\n\(other)")
            return try await withService { site, port in
                site.authorizers = [.bearer("t0")]
                let kept = try await site["moved"].get(as: JSON.self)["authorization"]
                let name = Origin(scheme: .http, host: "localhost", port: port)
                site.authorizers = [BoundAuthorizer.bearer("t0").sharing(with: [name])]
                let given = try await site["moved"].get(as: JSON.self)["authorization"].string
                try promise(kept == .null && given == "Bearer t0", "\(kept) \(given ?? "nothing")")
                return "\(shared)\n\(other)\nlocalhost: \(given ?? ""), and nothing unless it shares"
            }
        }
    }
}
