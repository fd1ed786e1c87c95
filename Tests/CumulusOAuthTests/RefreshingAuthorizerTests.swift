// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Tokens that the user's code gets.
@Suite struct RefreshingAuthorizerTests {
    private let clock = ManualClock()

    private func site(refusing refused: String = "none") -> (Resource, StubTransport) {
        let transport = StubTransport { routes in
            routes.on(.post, "/login") { request in .text(request.headers[.authorization] ?? "anonymous") }
            routes.on(nil, "*") { request in
                let proof = request.headers[.authorization] ?? ""
                return proof == "Bearer \(refused)" ? .response(.unauthorized) : .text(proof)
            }
        }
        let site = Resource("https://api.example.com", transport: transport.watched) { $0.clock = clock }
        return (site, transport)
    }

    @Test func theLatestTokenIsHandedOverAndEachRequestSentOnceMore() async throws {
        let (site, transport) = site(refusing: "t1")
        let calls = Shelf()
        site.setRules {
            $0.authorizers.append(
                .bearer { latest in
                    calls.add(latest?.revealed ?? "first")
                    return BearerToken(latest == nil ? "t1" : "t2")
                }
            )
        }
        #expect(try await site.get().text == "Bearer t2")
        #expect(calls.all == ["first", "t1"])
        #expect(transport.requests.count == 2)
    }

    @Test func itsOwnRequestsMayUseTheSameTreeAtLimitOne() async throws {
        let (site, _) = site()
        site.setRules { $0.maxConcurrentRequests = 1 }
        let calls = Shelf()
        site.setRules {
            $0.authorizers.append(
                .bearer { [login = site["login"]] _ in
                    calls.add(try await login.post().text ?? "")
                    return BearerToken("t")
                }
            )
        }
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await site.get().text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.allSatisfy { $0 == "Bearer t" })
        #expect(calls.all == ["anonymous"])
    }

    @Test func lifetimesAreKept() async throws {
        let (site, _) = site()
        let calls = Shelf()
        site.setRules {
            $0.authorizers.append(
                .bearer { _ in
                    calls.add("x")
                    return BearerToken("t\(calls.all.count)", lifetime: .seconds(60))
                }
            )
        }
        #expect(try await site.get().text == "Bearer t1")
        clock.advance(by: .seconds(40))
        #expect(try await site.get().text == "Bearer t1")
        clock.advance(by: .seconds(20))
        #expect(try await site.get().text == "Bearer t2")
    }

    @Test func whatItThrowsAllWhoWaitGet() async throws {
        struct NoLuck: Error {}
        let (site, transport) = site()
        let calls = Shelf()
        site.setRules {
            $0.authorizers.append(
                .bearer { _ in
                    calls.add("x")
                    throw NoLuck()
                }
            )
        }
        for _ in 0..<5 {
            let error = try await failure { try await site.get() }
            #expect(error.cause is NoLuck && error.code == .authorization)
        }
        #expect(calls.all.count == 1)
        #expect(transport.requests.isEmpty)
    }

    @Test("when the new token is refused as well, the attempt and the error say so")
    func refusedAgain() async throws {
        let reason = "the server refused a new token as well"
        func site() -> Resource {
            let calls = Shelf()
            let site = Resource(
                "https://api.example.com",
                transport: StubTransport { _ in .response(.unauthorized) }.watched
            ) {
                $0.clock = clock
                $0.authorizers.append(
                    .bearer { _ in
                        calls.add("x")
                        return BearerToken(Secret("t\(calls.all.count)"))
                    }
                )
            }
            return site
        }
        let response = try await site().get()
        #expect(response.status == .unauthorized)
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        #expect(response.attempts.last?.retry?.obstacle == .challenge(reason))
        let error = try await #require(throws: CumulusError.self) { _ = try await site().get(as: String.self) }
        #expect("\(error)".contains("(\(reason))"))
    }

    @Test("a token that no header can carry is refused", arguments: ["", "a b", "a\r\nX: y", "ü"])
    func badTokens(text: String) async throws {
        let (site, transport) = site()
        site.setRules { $0.authorizers.append(.bearer { _ in BearerToken(Secret(text)) }) }
        await #expect(throws: CumulusError.self) { _ = try await site.get() }
        #expect(transport.requests.isEmpty)
    }

    private final class Shelf: Sendable {
        private let kept = Mutex<[String]>([])
        func add(_ text: String) { kept.withLock { $0.append(text) } }
        var all: [String] { kept.withLock(\.self) }
    }
}
