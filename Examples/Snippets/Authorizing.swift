// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// The code of the guide's page on authorization.
enum Authorizing {
    static func credentials(site: Resource, password: Secret<String>) {
        // snippet.credentials
        site.setRules { $0.credentials = Credentials(user: "ada", password: password) }
        // snippet.end
    }

    static func token(site: Resource, token: Secret<String>) {
        // snippet.authorizers
        site.setRules { $0.authorizers = [.bearer(token)] }
        // snippet.end
    }

    static func whenAsked(site: Resource, password: Secret<String>) -> (vault: Resource, archive: Resource) {
        // snippet.digest
        let vault = site["vault"]
        vault.setRules { $0.authorizers.append(.digest(user: "ada", password: password)) }
        // snippet.end

        // snippet.basic-when-asked
        let archive = site["archive"]
        archive.setRules { $0.authorizers.append(.basic(user: "ada", password: password, whenAsked: true)) }
        // snippet.end
        return (vault, archive)
    }

    static func key(site: Resource, key: Secret<String>) {
        // snippet.api-key
        site.setRules {
            $0.authorizers.append(.apiKey(key, header: "X-API-Key"))
            $0.authorizers.append(.apiKey(key, query: "api_key"))
        }
        // snippet.end
    }

    static func sharing(site: Resource, token: Secret<String>) {
        // snippet.sharing
        let images = Origin(scheme: .https, host: "images.example.com")
        site.setRules { $0.authorizers = [BoundAuthorizer.bearer(token).sharing(with: [images])] }
        // snippet.end
    }

    static func anonymous(site: Resource) -> Resource {
        // snippet.replace
        let open = site["public"]
        open.setRules { $0.authorizers = .replacing([]) }  // anonymous
        // snippet.end
        return open
    }

    static func explanation(site: Resource, print: (Any) -> Void) {
        // snippet.explain
        print(site.explain(\.authorizers))
        // snippet.end
    }

    static func asking(site: Resource, askUser: @escaping @Sendable (_ question: String) async -> Credentials?) {
        // snippet.prompting
        site.setRules {
            $0.authorizers.append(
                .prompting { question in
                    await askUser("\(question.origin) wants a password for \(question.realm ?? "you")")  // nil gives up
                }
            )
        }
        // snippet.end
    }

    static func netrc(site: Resource, path: String) throws {
        // snippet.netrc
        let netrc = try NetrcFile(path: path)
        site.setRules { $0.authorizers.append(.netrc(netrc)) }
        // snippet.end
    }

    static func own(site: Resource, sign: @escaping @Sendable (_ text: String) throws -> String) {
        // snippet.own-use
        site.setRules { $0.authorizers.append(SigningAuthorizer(keyID: "k1", sign: sign)) }
        // snippet.end
    }

    static func atHand(site: Resource, fetch: @escaping @Sendable () async throws -> String) {
        // snippet.at-hand-use
        site.setRules { $0.authorizers.append(FetchedToken(fetch: fetch)) }
        // snippet.end
    }

    static func session(site: Resource, login: Resource, credentials: Credentials) {
        // snippet.session-use
        login.setRules { $0.authorizers = .replacing([]) }  // a login needs no session
        site.setRules { $0.authorizers.append(SessionAuthorizer(login: login, credentials: credentials)) }
        // snippet.end
    }
}

// snippet.own
struct SigningAuthorizer: Authorizer {
    let keyID: String
    let sign: @Sendable (_ text: String) throws -> String  // with your own key

    var mayWait: Bool { false }  // it only computes
    var respondsToChallenges: Bool { false }
    var identity: AuthorizerIdentity? { AuthorizerIdentity("Signature", Secret(keyID)) }

    func authorize(_ request: inout EncodedRequest) async throws {
        let signature = try sign("\(request.method.rawValue) \(request.target)")
        request.headers[.authorization] = "Signature \(keyID):\(signature)"
    }
}
// snippet.end

struct NonceAuthorizer: Authorizer {
    var hasSingleUseCredentials: Bool { true }

    func authorize(_ request: inout EncodedRequest) async throws {
        request.headers[.authorization] = "Nonce \(UInt64.random(in: .min ... .max))"
    }
}

// snippet.at-hand
final class FetchedToken: Authorizer {
    private let fetch: @Sendable () async throws -> String
    private let token = Mutex<String?>(nil)

    init(fetch: @escaping @Sendable () async throws -> String) { self.fetch = fetch }

    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        if request.headers[.authorization] != nil { return true }  // the call has its own
        guard let token = token.withLock(\.self) else { return false }
        request.headers[.authorization] = "Token \(token)"
        return true
    }

    func authorize(_ request: inout EncodedRequest) async throws {  // if `authorizeAtOnce` returned false
        let new = try await fetch()
        token.withLock { $0 = new }
        request.headers[.authorization] = "Token \(new)"
    }
}
// snippet.end

// snippet.session
final class SessionAuthorizer: Authorizer {
    private let login: Resource
    private let credentials: Credentials
    private let state = Mutex<(cookie: String?, login: Task<String, any Error>?)>((nil, nil))

    init(login: Resource, credentials: Credentials) {
        self.login = login
        self.credentials = credentials
    }

    func authorize(_ request: inout EncodedRequest) async throws {
        if let cookie = state.withLock(\.cookie) { request.headers[.cookie] = cookie }
    }

    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        let task = state.withLock { state -> Task<String, any Error>? in
            // Another request has logged in since this one was sent.
            if let cookie = state.cookie, challenge.request.headers[.cookie] != cookie { return nil }
            // Requests that are refused at the same time wait for one login.
            let task = state.login ?? Task { try await RequestScope.outside { try await self.logIn() } }
            state.login = task
            return task
        }
        guard let task else { return .again }
        let result = await task.result
        state.withLock { $0 = (try? result.get(), nil) }
        _ = try result.get()
        return .again
    }

    private func logIn() async throws -> String {
        let form: Query = ["user": credentials.user, "password": credentials.password.revealed]
        let response = try await login.post(.form(form)).requireSuccess()
        let cookie = response.headers[.setCookie] ?? ""
        return String(decoding: cookie.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    }
}
// snippet.end
