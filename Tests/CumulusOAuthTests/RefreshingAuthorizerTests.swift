// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
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
                    calls.add(latest?.value.revealed ?? "first")
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
        let reason = "the server also refused a new token"
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

    // MARK: Users by name

    /// A copy as a server makes it for each of its own requests.
    private func copy(
        of site: Resource,
        for user: String,
        _ calls: Shelf,
        _ store: any TokenStore = MemoryTokenStore()
    ) -> Resource {
        site.with {
            $0.authorizers = [
                .bearer(for: user, store: store) { latest in
                    calls.add("\(user): \(latest?.value.revealed ?? "none"), \(latest?.refresh?.revealed ?? "none")")
                    let number = calls.all.count
                    return BearerToken("\(user)-\(number)", refresh: "r\(number)", lifetime: .seconds(60))
                }
            ]
        }
    }

    @Test func copiesOfOneUserShareOneSession() async throws {
        let (site, _) = site()
        let calls = Shelf()
        for _ in 0..<5 { #expect(try await copy(of: site, for: "ada", calls)["a"].get().text == "Bearer ada-1") }
        #expect(try await copy(of: site, for: "bob", calls)["a"].get().text == "Bearer bob-2")
        #expect(calls.all == ["ada: none, none", "bob: none, none"])
        clock.advance(by: .seconds(60))
        let again = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await copy(of: site, for: "ada", calls)["a"].get().text } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(again == ["Bearer ada-3"])
        #expect(calls.all.last == "ada: ada-1, r1")
    }

    @Test func refusedTokenIsRenewedOnceForAllCopies() async throws {
        let (site, _) = site(refusing: "ada-1")
        let calls = Shelf()
        for _ in 0..<3 { #expect(try await copy(of: site, for: "ada", calls).get().text == "Bearer ada-2") }
        #expect(calls.all == ["ada: none, none", "ada: ada-1, r1"])
    }

    @Test func tokenIsStoredAndUsedByAnotherProgram() async throws {
        let (store, calls) = (MemoryTokenStore(), Shelf())
        #expect(try await copy(of: site().0, for: "ada", calls, store).get().text == "Bearer ada-1")
        #expect(store.token()?.access.revealed == "ada-1" && store.token()?.refresh?.revealed == "r1")
        #expect(try await copy(of: site().0, for: "ada", calls, store).get().text == "Bearer ada-1")
        // The store of one user serves no other user.
        #expect(try await copy(of: site().0, for: "bob", calls, store).get().text == "Bearer bob-2")
        #expect(calls.all == ["ada: none, none", "bob: none, none"])
    }

    @Test func expiredTokenOfTheStoreIsPassedOn() async throws {
        let (store, calls) = (MemoryTokenStore(), Shelf())
        store.keep(OAuth2Token(access: "old", refresh: "r0", expires: .distantPast, source: "ada"))
        #expect(try await copy(of: site().0, for: "ada", calls, store).get().text == "Bearer ada-1")
        #expect(calls.all == ["ada: old, r0"])
    }

    @Test func tokenOfAnotherUserIsRefused() async throws {
        let (site, transport) = site()
        let ada = site.with { $0.authorizers = [.bearer(for: "ada") { _ in BearerToken("t", user: "bob") }] }
        let error = try await failure { try await ada.get() }
        #expect(error.code == .authorization && error.message.contains("issued for a user other"), "\(error.message)")
        #expect(transport.requests.isEmpty)
    }
}
