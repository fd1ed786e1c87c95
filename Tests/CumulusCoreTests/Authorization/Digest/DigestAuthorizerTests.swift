// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Digest against a server that checks every proof.
@Suite(.timeLimit(.minutes(10))) struct DigestAuthorizerTests {
    private func space(_ change: (inout DigestSpace.Options) -> Void = { _ in }) -> DigestSpace {
        var options = DigestSpace.Options()
        change(&options)
        return DigestSpace(user: "ada", password: "lovelace", options: options)
    }

    private func site(_ transport: StubTransport, password: Secret<String> = "lovelace") -> Resource {
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.digest(user: "ada", password: password)]
        }
        return site
    }

    private static let algorithms = [
        "MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess",
    ]

    @Test("a request that is sent once more within its attempt counts on: its count is never used twice")
    func countsOn() async throws {
        let space = space()
        let hasRefused = Atomic(false)
        let transport = StubTransport { request in
            let verdict = space.judge(
                method: request.method.rawValue,
                target: request.request.target,
                authorization: request.headers[.authorization],
                body: request.body
            )
            if case .refused(let challenges) = verdict {
                let fields = challenges.map { HTTPField(name: .wwwAuthenticate, value: $0) }
                return .response(.unauthorized, headers: Headers(HTTPFields(fields)))
            }
            return hasRefused.exchange(true, ordering: .relaxed) ? .text("in") : .response(.misdirectedRequest)
        }
        let response = try await site(transport)["x"].get()
        #expect(response.text == "in" && response.attempts.map(\.reason) == [.call, .challenge, .misdirected])
        let counts = transport.requests.compactMap { $0.headers[.authorization]?.firstMatch(of: /nc=([0-9]+)/)?.1 }
        #expect(counts == ["00000001", "00000002"])
    }

    @Test(
        "one more request for the first call, none for the following ones",
        arguments: algorithms,
        ["auth", "auth-int", ""]
    )
    func succeeds(algorithm: String, protection: String) async throws {
        let transport = StubTransport.digest(
            space {
                $0.algorithms = [algorithm]
                $0.protections = protection.isEmpty ? [] : [protection]
            }
        )
        let site = site(transport)
        if algorithm.hasSuffix("-sess"), protection.isEmpty {
            // Such a server can't be authenticated with.
            #expect(try await site["x"].get().status == .unauthorized)
            #expect(transport.requests.count == 1)
            return
        }
        let first = try await site["x"].get(query: ["q": "a b"])
        #expect(first.text == "GET 0")
        #expect(first.attempts.map(\.reason) == [.call, .challenge])
        #expect(try await site["y"].post(.text("hello")).text == "POST 5")
        let file = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID().uuidString)")
        try Data(repeating: 7, count: 100_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await site["z"].put(.body(.file(FileBody(path: file.path, length: 100_000)))).text == "PUT 100000")
        let stream = StreamBody(replay: .restartable) { _, writer in
            for _ in 0..<3 { try await writer.write(ByteChunk("abc")) }
        }
        #expect(try await site["z"].put(.body(.stream(stream))).text == "PUT 9")
        #expect(transport.requests.count == 5)
    }

    @Test("a body that can be sent only once can't be covered, and the error says so")
    func onceOnly() async throws {
        let transport = StubTransport.digest(space { $0.protections = ["auth-int"] })
        let site = site(transport)
        try await site.get().requireSuccess()
        let error = try await failure { try await site.post(.body(.stream(StreamBody { _, _ in }))) }
        #expect(error.code == .authorization)
        #expect(error.message.contains("once"))
        #expect(transport.requests.count == 2)
    }

    @Test("bodies are covered if requested, and only the head if both are allowed", arguments: [true, false])
    func protection(protectsBodies: Bool) async throws {
        let transport = StubTransport.digest(space { $0.protections = ["auth", "auth-int"] })
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.digest(user: "ada", password: "lovelace", protectsBodies: protectsBodies)]
        }
        #expect(try await site.post(.text("hi")).text == "POST 2")
        let field = try #require(transport.lastRequest?.headers[.authorization])
        #expect(field.contains("qop=auth-int") == protectsBodies)
    }

    @Test("the user name is sent hashed, or non-ASCII, as the server requires", arguments: [true, false])
    func names(isHashed: Bool) async throws {
        var options = DigestSpace.Options()
        options.hashesUser = isHashed
        let transport = StubTransport.digest(DigestSpace(user: "zo\u{EB} \"x\"", password: "p\u{FC}", options: options))
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.digest(user: "zo\u{EB} \"x\"", password: "p\u{FC}")]
        }
        #expect(try await site.get().isSuccessful)
    }

    @Test("a hundred concurrent requests use each count once, with a nonce that expires repeatedly")
    func concurrent() async throws {
        let space = space { $0.nonceUses = 40 }
        let transport = StubTransport.digest(space)
        let site = site(transport)
        site.setRules { $0.maxAuthAttempts = 20 }
        let good = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask { try await site[segment: "\(number)"].get().isSuccessful }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 100)
        let proofs = transport.requests.compactMap { $0.headers[.authorization] }.compactMap { value in
            AuthenticationChallenge.parse([value]).first.map { "\($0["nonce"] ?? "") \($0["nc"] ?? "")" }
        }
        #expect(Set(proofs).count == proofs.count)
    }

    @Test(
        "a stale nonce costs one more request, whether or not the server says that it is stale",
        arguments: [true, false]
    )
    func stale(namesStale: Bool) async throws {
        let transport = StubTransport.digest(
            space {
                $0.nonceUses = 2
                $0.namesStale = namesStale
            }
        )
        let site = site(transport)
        for _ in 0..<4 { #expect(try await site.get().isSuccessful) }
        #expect(transport.requests.count == 6)
    }

    @Test("the server's next nonce avoids the refusal of the old one")
    func nextNonce() async throws {
        let transport = StubTransport.digest(
            space {
                $0.nonceUses = 1
                $0.sendsNextNonce = true
            }
        )
        let site = site(transport)
        for _ in 0..<4 { #expect(try await site.get().isSuccessful) }
        #expect(transport.requests.count == 5)
    }

    @Test("a wrong password is refused with its 401, and not asked about again")
    func wrongPassword() async throws {
        let transport = StubTransport.digest(space())
        let site = site(transport, password: "wrong")
        #expect(try await site.get().status == .unauthorized)
        #expect(transport.requests.count == 2)
        #expect(try await site.get().status == .unauthorized)
    }

    @Test("a wrong proof of the server fails the request")
    func wrongServer() async throws {
        let site = site(.digest(space(), rspauth: String(repeating: "0", count: 64)))
        let error = try await failure { try await site.get() }
        #expect(error.code == .authorization)
        #expect(error.message.contains("rspauth"))
        #expect(!"\(error)".contains("lovelace"))
    }

    @Test("a realm with a weaker algorithm fails the request, and no proof is sent")
    func downgrade() async throws {
        let (strong, weak) = (space { $0.algorithms = ["MD5", "SHA-256"] }, space { $0.algorithms = ["MD5"] })
        let transport = StubTransport { request in
            let space = request.path == "/weak" ? weak : strong
            switch space.judge(
                method: "GET",
                target: request.request.target,
                authorization: request.headers[.authorization]
            ) {
            case .accepted: return .text("in")
            case .refused(let challenges):
                let line = challenges.joined(separator: ", ")
                return .response(.unauthorized, headers: [.wwwAuthenticate: line])
            }
        }
        let site = site(transport)
        #expect(try await site["strong"].get().isSuccessful)
        let error = try await failure { try await site["weak"].get() }
        #expect(error.code == .authorization)
        #expect(error.message.contains("SHA-256"))
        #expect(error.statusCode == 401)
    }

    @Test("an origin's challenge is answered to no other, whether by a redirect or a shared authorizer")
    func otherOrigins() async throws {
        let space = space()
        let transport = StubTransport { request in
            if request.request.origin.host == "b.example" { return .text("b") }
            switch space.judge(
                method: "GET",
                target: request.request.target,
                authorization: request.headers[.authorization]
            ) {
            case .accepted: return .response(.found, headers: [.location: "http://b.example/"])
            case .refused(let challenges):
                return .response(.unauthorized, headers: [.wwwAuthenticate: challenges[0]])
            }
        }
        let digest = DigestAuthorizer(user: "ada", password: "lovelace")
        let (a, b) = (
            Resource("http://a.example", transport: transport.watched),
            Resource("http://b.example", transport: transport.watched)
        )
        a.setRules { $0.authorizers.append(digest) }
        b.setRules { $0.authorizers.append(digest) }
        #expect(try await a.get().text == "b")
        #expect(try await b.get().text == "b")
        let toOther = transport.requests.filter { $0.request.origin.host == "b.example" }
        #expect(toOther.count == 2)
        #expect(toOther.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test("no part of the password is printed")
    func printed() {
        let digest = DigestAuthorizer(user: "ada", password: "hunter2")
        var text = ""
        dump(digest, to: &text)
        #expect(!text.contains("hunter2"))
        #expect(!"\(BoundAuthorizer.custom(digest))".contains("hunter2"))
    }

    @Test("who gives up on a challenge says why: in the attempt, and in the error")
    func reasons() async throws {
        let reason = "the server refused the user name or the password"
        let site = site(.digest(space()), password: "wrong")
        let response = try await site["x"].get()
        #expect(response.status == .unauthorized)
        #expect(response.attempts.last?.retry?.obstacle == .challenge(reason))
        let error = try await #require(throws: CumulusError.self) { _ = try await site["x"].get(as: String.self) }
        #expect("\(error)".contains("(\(reason))"))
        let other = self.site(
            StubTransport { _ in .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""]) }
        )
        let told = try await other.get().attempts.last?.retry?.obstacle
        #expect(told == .challenge("the server offers Basic, not Digest"))
    }
}
