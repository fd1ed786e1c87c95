// SPDX-License-Identifier: Apache-2.0

import Crypto
import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OAuth2Service {
    /// A request, for either kind of server.
    struct Question {
        let place: String
        /// The text after the question mark.
        let target: String
        let form: Query
        let authorization: String?

        func field(_ name: String) -> String? { form.values(of: name).first?.string }
        func item(_ name: String) -> String? { Query(parsing: target).values(of: name).first?.string }
    }

    /// A response, for either kind of server.
    struct Reply {
        var status = HTTPResponse.Status.ok
        var json: JSON = .object(JSON.Object())
        var location: String?

        static func refusal(_ error: String, _ description: String? = nil) -> Reply {
            var members: [(String, JSON)] = [("error", .string(error))]
            if let description { members.append(("error_description", .string(description))) }
            return Reply(
                status: error == "invalid_client" ? .unauthorized : .badRequest,
                json: .object(JSON.Object(members))
            )
        }

        var serverResponse: ServerResponse {
            location.map { .redirect(to: $0) } ?? .json(json.description, status: status)
        }

        var stubAnswer: StubResponse {
            location.map { .response(.found, headers: [.location: $0]) } ?? .json(json.description, status: status)
        }
    }

    func reply(to question: Question) -> Reply {
        if question.place == "authorize" { return authorize(question) }
        guard let client = client(of: question) else { return .refusal("invalid_client") }
        switch question.place {
        case "token": return token(question, client)
        case "device": return device(client)
        case "revoke": return revoke(question)
        default: return Reply(status: .notFound)
        }
    }

    /// The client, from Basic authentication or fields of the form; `nil` if its secret is wrong.
    private func client(of question: Question) -> String? {
        var (id, secret) = (question.field("client_id"), question.field("client_secret"))
        if let authorization = question.authorization, let proof = authorization.cut(at: " "), proof.before == "Basic",
            let pair = Data(base64Encoded: String(proof.behind))
        {
            let parts = String(decoding: pair, as: UTF8.self).parts(at: ":", most: 2).map {
                PercentCoding.decoded($0, plusIsBlank: true)
            }
            (id, secret) = (parts.first, parts.last)
        }
        guard let id, let known = configuration.clients[id], known == secret || known == nil && secret == nil else {
            return nil
        }
        return id
    }

    private func token(_ question: Question, _ client: String) -> Reply {
        switch question.field("grant_type") {
        case "client_credentials": return give(by: "client_credentials", login: nil, renewable: false)
        case "password":
            guard let user = question.field("username"), let password = configuration.users[user],
                password == question.field("password")
            else { return .refusal("invalid_grant", "wrong user or password") }
            return give(by: "password", login: nil, renewable: true)
        case "refresh_token": return refresh(question.field("refresh_token") ?? "")
        case "authorization_code": return redeem(question, client)
        case "urn:ietf:params:oauth:grant-type:device_code": return poll(question.field("device_code") ?? "", client)
        case "urn:ietf:params:oauth:grant-type:token-exchange":
            guard accepts("Bearer \(question.field("subject_token") ?? "")") else { return .refusal("invalid_request") }
            var reply = give(by: "exchange", login: nil, renewable: false)
            reply.json["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
            return reply
        default: return .refusal("unsupported_grant_type")
        }
    }

    private func refresh(_ token: String) -> Reply {
        let login = state.withLock { state -> Int? in
            if let login = state.usedRefresh[token] {
                // A used refresh token means a stolen copy: all tokens of this login end.
                state.reuses += 1
                state.access = state.access.filter { $0.value != login }
                state.refresh = state.refresh.filter { $0.value != login }
                return nil
            }
            guard let login = state.refresh[token] else { return nil }
            if configuration.rotates {
                state.refresh[token] = nil
                state.usedRefresh[token] = login
            }
            return login
        }
        guard let login else { return .refusal("invalid_grant", "the refresh token is unknown or already used") }
        return give(by: "refresh_token", login: login, renewable: configuration.rotates)
    }

    private func give(by grant: String, login: Int?, renewable: Bool) -> Reply {
        state.withLock { state in
            state.next += 1
            let number = state.next
            let login = login ?? number
            state.grants[grant, default: 0] += 1
            state.access["access-\(number)"] = login
            var members: [(String, JSON)] = [
                ("access_token", .string("access-\(number)")), ("token_type", "Bearer"),
            ]
            if let lifetime = configuration.lifetime { members.append(("expires_in", .number(JSON.Number(lifetime)))) }
            if renewable {
                state.refresh["refresh-\(number)"] = login
                members.append(("refresh_token", .string("refresh-\(number)")))
            }
            return Reply(json: .object(JSON.Object(members)))
        }
    }

    /// Signs in any user, and redirects the browser back.
    private func authorize(_ question: Question) -> Reply {
        guard let client = question.item("client_id"), configuration.clients[client] != nil,
            let redirect = question.item("redirect_uri"), question.item("response_type") == "code"
        else { return .refusal("invalid_request") }
        let code = state.withLock { state -> String in
            state.next += 1
            let code = "code-\(state.next)"
            state.codes[code] = Code(client: client, redirect: redirect, challenge: question.item("code_challenge"))
            return code
        }
        // Escaped as received.
        let state = question.target.parts(at: "&").first { $0.begins(with: "state=") }
        let mark = redirect.has("?") ? "&" : "?"
        return Reply(location: "\(redirect)\(mark)code=\(code)\(state.map { "&\($0)" } ?? "")")
    }

    private func redeem(_ question: Question, _ client: String) -> Reply {
        let code = state.withLock { $0.codes.removeValue(forKey: question.field("code") ?? "") }
        guard let code, code.client == client, code.redirect == question.field("redirect_uri") else {
            return .refusal("invalid_grant", "the code is unknown or already used")
        }
        if let challenge = code.challenge {
            let digest = SHA256.hash(data: Data((question.field("code_verifier") ?? "").utf8))
            guard Self.urlSafe(Data(digest).base64EncodedString()) == challenge else {
                return .refusal("invalid_grant", "the verifier is wrong")
            }
        }
        return give(by: "authorization_code", login: nil, renewable: true)
    }

    /// URL-safe Base64 (RFC 4648 section 5), without padding.
    private static func urlSafe(_ base64: String) -> String {
        let bytes = base64.utf8.prefix { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func device(_ client: String) -> Reply {
        state.withLock { state in
            state.next += 1
            let (code, userCode) = ("device-\(state.next)", "WDJB-\(1000 + state.next)")
            state.devices[code] = Device(client: client, userCode: userCode)
            return Reply(json: [
                "device_code": .string(code), "user_code": .string(userCode),
                "verification_uri": "https://id.example.com/device", "expires_in": 600,
                "interval": .number(JSON.Number(configuration.interval)),
            ])
        }
    }

    private func poll(_ code: String, _ client: String) -> Reply {
        guard let device = state.withLock({ $0.devices[code] }), device.client == client else {
            return .refusal("invalid_grant")
        }
        guard let isApproved = device.isApproved else { return .refusal("authorization_pending") }
        state.withLock { $0.devices[code] = nil }
        return isApproved ? give(by: "device_code", login: nil, renewable: true) : .refusal("access_denied")
    }

    private func revoke(_ question: Question) -> Reply {
        let token = question.field("token") ?? ""
        state.withLock { state in
            state.revocations += 1
            guard let login = state.refresh[token] ?? state.access[token] else { return }
            state.access = state.access.filter { $0.value != login }
            state.refresh = state.refresh.filter { $0.value != login }
        }
        return Reply()
    }
}
