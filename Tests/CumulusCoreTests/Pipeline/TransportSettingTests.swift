// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A transport of a place, of a value, or of one call, instead of the tree's own.
@Suite(.timeLimit(.minutes(10))) struct TransportSettingTests {
    private let own = StubTransport { _ in .text("own") }
    private let other = StubTransport { _ in .text("other") }

    private func site() -> Resource { Resource("https://a.example", transport: own.watched) }

    @Test func theNearestTransportSends() async throws {
        let site = site()
        site["audit"].setRules { $0.transport = other }
        #expect(try await site.get().text == "own")
        #expect(try await site["audit/log"].get().text == "other")
        #expect(try await site["audit"].with { $0.transport = nil }.get().text == "own")
        #expect(try await site.with { $0.transport = other }["x"].get().text == "other")
        #expect(try await site.call(.get).with { $0.transport = other }.send().text == "other")
        #expect((own.requests.count, other.requests.count) == (2, 3))
        #expect(site["audit"].explain(\.transport).description.contains("StubTransport"))
    }

    @Test func linksAndRedirectsToOtherOriginsKeepIt() async throws {
        let redirecting = StubTransport { request in
            request.url.hasPrefix("https://a.example")
                ? .response(.found, headers: ["Location": "https://b.example/there"]) : .text("there")
        }
        let mine = site().with { $0.transport = redirecting }
        #expect(try await mine.get().text == "there")
        #expect(try await mine.follow("https://c.example/x").get().text == "there")
        #expect(own.requests.isEmpty)
    }

    @Test func tokensAreRequestedByItToo() async throws {
        let service = StubTransport { request in
            request.path == "/token"
                ? .json(["access_token": "t", "token_type": "Bearer"]) : .text(request.headers[.authorization] ?? "-")
        }
        let mine = site().with {
            $0.transport = service
            $0.authorizers.append(.oauth2(.clientCredentials(id: "c", secret: "s"), tokens: "https://a.example/token"))
        }
        #expect(try await mine.get().text == "Bearer t")
        #expect(own.requests.isEmpty)
    }

    @Test func callsOverDifferentTransportsNeverJoin() async throws {
        let gate = Gate()
        let slow = StubTransport { _ in .script([.gate(gate), .chunk(Array("slow".utf8))]) }
        let site = Resource("https://a.example", transport: slow.watched)
        let key = CallKey.joining("k")
        var first = site.call(.get)
        first.key = key
        let running = first.start()
        while slow.requests.isEmpty { await Task.yield() }
        var second = site.with { $0.transport = other }.call(.get)
        second.key = key
        #expect(try await second.send().text == "other")
        gate.open()
        #expect(try await running.value.text == "slow")
    }

    @Test func downloadsAndStreamsUseIt() async throws {
        let mine = site().with { $0.transport = other }
        var text = ""
        for try await line in try await mine.call(.get).stream().lines { text += line }
        #expect(text == "other")
        #expect(own.requests.isEmpty)
    }
}
