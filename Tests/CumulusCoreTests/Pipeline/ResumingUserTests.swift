// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// An interrupted body is resumed for the user whose response began it, and for no other.
@Suite(.timeLimit(.minutes(10))) struct ResumingUserTests {
    private let remote = RemoteFile()
    private let next = RemoteFile.content(100_000, seed: 9)
    private let authorizer = SwitchingAuthorizer("ann")
    private let store = SmallStore()

    /// A site whose user changes while the first body arrives, and breaks off.
    private func site(storing: Bool = false) -> Resource {
        let (remote, authorizer, next, store) = (remote, authorizer, next, store)
        remote.change { state in
            state.breaks = [70_000]
            state.extra[.cacheControl] = "max-age=600"
            state.twists = [
                { _, answer in
                    authorizer.user = "bob"
                    remote.change { $0.bytes = next }
                    return answer
                }
            ]
        }
        return Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
            $0.authorizers = [.custom(authorizer)]
            if storing { $0.responseStore = store }
        }
    }

    @Test("a body in memory is requested again as a whole for another user", arguments: [false, true])
    func memory(storing: Bool) async throws {
        let site = site(storing: storing)
        let response = try await site.get()
        #expect((response.bytes.bytes == next) as Bool)
        #expect(response.attempts.map(\.reason) == [.call, .resume, .retry])
        #expect(remote.seen.map { $0[.authorization] } == ["Named ann", "Named bob", "Named bob"])
        guard storing else { return }
        let again = try await site.get()
        #expect(again.storeNote == "hit" && again.bytes.bytes == next)
        authorizer.user = "ann"
        #expect(try await site.get().storeNote != "hit", "nothing was stored for ann")
    }

    @Test func aStreamEndsWithTheBreakIfTheUserChanges() async throws {
        let stream = try await site().call(.get).stream()
        var count = 0
        let error = try await failure { for try await chunk in stream { count += chunk.count } }
        #expect(error.code == .truncatedBody && count == 70_000)
    }

    @Test("the same user's body is resumed", arguments: [false, true]) func sameUser(storing: Bool) async throws {
        let site = site(storing: storing)
        remote.change { $0.twists = [] }
        let response = try await site.get()
        #expect((response.bytes.bytes == remote.bytes) as Bool)
        #expect(response.attempts.map(\.reason) == [.call, .resume])
    }

    @Test("a user who changes while a request is authorized is not the one whose bytes arrived")
    func race() async throws {
        let racing = RacingAuthorizer()
        let remote = remote
        remote.change { $0.breaks = [70_000] }
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
            $0.authorizers = [.custom(racing)]
        }
        let response = try await site.get()
        #expect((response.bytes.bytes == remote.bytes) as Bool)
        #expect(remote.seen.last?[.range] == nil, "the user of the first bytes is not known")
    }

    @Test("a user who logs in while a request is authorized, and out while its body arrives, is not the one before")
    func userWhoComesBack() async throws {
        let visited = VisitedAuthorizer()
        let remote = remote
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [
                { _, answer in
                    visited.inner.user = "ann"
                    return answer
                }
            ]
        }
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
            $0.authorizers = [.custom(visited)]
        }
        let response = try await site.get()
        #expect((response.bytes.bytes == remote.bytes) as Bool)
        #expect(remote.seen.map { $0[.authorization] } == ["Named bob", "Named ann", "Named ann"])
        #expect(remote.seen.last?[.range] == nil, "the first bytes are bob's")
    }

    /// An authorizer whose user is another one during the first authorization.
    private final class VisitedAuthorizer: Authorizer {
        let inner = SwitchingAuthorizer("ann")
        private let wasVisited = Atomic(false)
        var identity: AuthorizerIdentity? { inner.identity }

        func authorize(_ request: inout EncodedRequest) async throws {
            if !wasVisited.exchange(true, ordering: .relaxed) { inner.user = "bob" }
            try await inner.authorize(&request)
        }
    }

    /// An authorizer whose user is replaced after the first authorization.
    private struct RacingAuthorizer: Authorizer {
        let inner = SwitchingAuthorizer("ann")
        var identity: AuthorizerIdentity? { inner.identity }

        func authorize(_ request: inout EncodedRequest) async throws {
            try await inner.authorize(&request)
            inner.user = "bob"
        }
    }
}
