// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A request for the rest of a body that fails itself.
@Suite(.timeLimit(.minutes(10))) struct FailedRestTests {
    /// What a call may have besides, without a hook.
    enum Besides: CaseIterable { case nothing, observer, limit, rateLimit, bandwidth }

    @Test(
        "a request for the rest that fails is recorded and repeated, whatever else the call has",
        arguments: Besides.allCases,
        [true, false]
    )
    func failedRests(besides: Besides, isStream: Bool) async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [nil, { _, _ in .failure(TransportFailure(.connect, "gone")) }]
        }
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
        }
        site.setRules { rules in
            switch besides {
            case .nothing: break
            case .observer: rules.observers.append(.progress { _ in })
            case .limit: rules.maxConcurrentRequests = 1
            case .rateLimit: rules.rateLimit = .requests(1_000, per: .seconds(1), burst: 1_000)
            case .bandwidth: rules.bandwidth = Bandwidth(bytesPerSecond: 1_000_000_000)
            }
        }
        let attempts: [AttemptRecord]
        if isStream {
            let stream = try await site.call(.get).stream()
            var count = 0
            for try await chunk in stream { count += chunk.count }
            #expect(count == remote.bytes.count)
            attempts = stream.attempts
        } else {
            let response = try await site.get()
            #expect(response.bytes.bytes == remote.bytes)
            attempts = response.attempts
        }
        #expect(attempts.map(\.reason) == [.call, .resume, .resume])
        #expect(attempts.map(\.end) == ["truncatedBody", "connect", "206"])
        #expect(attempts.map { $0.retry?.delay != nil } == [true, true, false])
        #expect(remote.seen.count == 3)
    }

    @Test("a redirect of a request for remaining bytes isn't a redirect of the request for the whole body")
    func redirectedRest() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [nil, { _, _ in .response(.found, headers: [.location: "http://b.example/other.bin"]) }]
        }
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
            $0.credentials = Credentials(user: "ann", password: "p")
        }
        let response = try await site.get()
        #expect(response.bytes.bytes == remote.bytes && response.history.isEmpty)
        #expect(response.attempts.map(\.reason) == [.call, .resume, .redirect, .retry])
        #expect(remote.seen.map { $0[.authorization] != nil } == [true, true, false, true])
    }

    @Test("challenges to requests for remaining bytes count for the whole call") func challengedRests() async throws {
        final class Answering: Authorizer {
            let numbers = Mutex<[Int]>([])
            func authorize(_ request: inout EncodedRequest) async throws {}
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
                numbers.withLock { $0.append(challenge.attempt) }
                return .again
            }
        }
        let (remote, answering) = (RemoteFile(), Answering())
        remote.change { state in
            state.breaks = [70_000, -1, 10_000]
            let refusal: RemoteFile.Twist = { _, _ in .response(.unauthorized) }
            state.twists = [nil, refusal, nil, refusal]
        }
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
            $0.authorizers = [.custom(answering)]
        }
        let response = try await site.get()
        #expect(response.bytes.bytes == remote.bytes)
        #expect(response.attempts.map(\.reason) == [.call, .resume, .challenge, .resume, .challenge])
        #expect(answering.numbers.withLock(\.self) == [1, 2])
    }

    @Test("observers hear of a rest before the wait for it", arguments: ["memory", "stream", "file"])
    func events(use: String) async throws {
        let (remote, folder) = (RemoteFile(), try TemporaryFolder())
        remote.change { $0.breaks = [70_000] }
        let told = Told()
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) { rules in
            rules.clock = HastyClock()
            rules.retry?.backoff = RetryBackoff(base: .seconds(1)) { 1 }
            rules.observers.append { told.note($0) }
        }
        switch use {
        case "memory": _ = try await site.get()
        case "stream": for try await _ in try await site.call(.get).stream() {}
        default: _ = try await site.download(to: .file(folder.path + "/x"))
        }
        #expect(told.events == ["sending", "retry 1.0 seconds", "again resume 1.0 seconds", "sending"])
    }

    /// The events that recovery is about.
    private final class Told: Sendable {
        private let list = Mutex<[String]>([])
        var events: [String] { list.withLock(\.self) }

        func note(_ event: CallEvent) {
            let text: String? =
                switch event.kind {
                case .sending: "sending"
                case .retry(let decision): "retry \(decision.delay ?? .zero)"
                case .again(let reason, _, let delay): "again \(reason) \(delay)"
                default: nil
                }
            if let text { list.withLock { $0.append(text) } }
        }
    }
}
