// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Everything that takes slots of one limit, at once.
@Suite(.timeLimit(.minutes(10))) struct LimitStormTests {
    /// Reads a piece of a response, sends a request through the same tree, and then repeats its own.
    private struct Repeating: Sendable {
        let other: Resource

        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            let answer = try await next(request)
            _ = try await answer.body.next()
            _ = try await other.get()
            let second = try await next(request)
            withExtendedLifetime(answer) {}
            return second
        }
    }

    /// Answers a 401 once, after a request through the same tree.
    private final class Asking: Authorizer {
        private let other: Resource
        private let hasAsked = Mutex(false)

        init(other: Resource) { self.other = other }

        func authorize(_ request: inout EncodedRequest) async throws {
            if hasAsked.withLock(\.self) { request.headers[.authorization] = "key" }
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            _ = try await other.get()
            hasAsked.withLock { $0 = true }
            return .again
        }
    }

    private let server = RangeServer(RangeServer.bytes(60_000))
    private let site: Resource
    private let leaf: Resource
    private let failed = Failures()

    init() {
        let server = server
        let transport = StubTransport { request in
            switch request.path {
            case "/file": return server.answer(request)
            case "/hop": return .script([.chunk([1]), .chunk([2])], status: .found, headers: [.location: "/leaf"])
            case "/off":
                return .script([.chunk([1])], status: .temporaryRedirect, headers: [.location: "http://b.example/leaf"])
            case "/who" where request.headers[.authorization] == nil:
                return .text(String(repeating: "x", count: 100_000), status: .unauthorized)
            default: return .script([.chunk([1]), .chunk([2]), .chunk([3])])
            }
        }
        site = Resource("http://a.example", transport: transport.watched)
        site.setRules {
            $0.maxConcurrentRequests = 1
            $0.chunks.size = 1000
        }
        leaf = site["leaf"]
    }

    /// One call of a kind; a stream is dropped after its first piece.
    private func call(_ kind: Int, to path: String) async throws {
        let hooked = site["hop"].with { $0.interceptors = [Repeating(other: leaf).intercept] }
        switch kind {
        case 0: _ = try await hooked.get()
        case 1: _ = try await site["who"].with { $0.authorizers.append(Asking(other: leaf)) }.get()
        case 2: _ = try await leaf.keyed(.joining("leaf")).get()
        case 3: for try await _ in try await leaf.call(.get).stream() { break }
        case 4:
            var options = DownloadOptions()
            options.connections = 3
            _ = try await site["file"].download(to: .file(path), options: options)
        case 5: _ = try await site["off"].get()
        case 6: _ = try await leaf.keyed(.replacing("last")).get()
        default: for try await _ in try await hooked.call(.get).stream() { break }
        }
    }

    @Test("hooks, joined calls, downloads, dropped streams and cancellations at limit 1 all end, without losing a slot")
    func everythingAtOnce() async throws {
        let folder = try TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<240 {
                group.addTask {
                    let work = Task {
                        do {
                            try await call(round % 8, to: "\(folder.path)/\(round)")
                        } catch is CancellationError {
                        } catch {
                            failed.add("\(round % 8): \(error)")
                        }
                    }
                    if round.isMultiple(of: 3) {
                        for _ in 0..<(round % 17) { await Task.yield() }
                        work.cancel()
                    }
                    await work.value
                }
            }
        }
        #expect(failed.all.isEmpty)
        #expect(site.runningCalls.isEmpty)
        #expect(try #require(site.snapshot.pipeline.attemptLoop.stages.limits?.limit.limiter).counts == (0, 0))
        #expect(try await leaf.get().bytes.count == 3)
    }

    private final class Failures: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock(\.self) }
        func add(_ failure: String) { state.withLock { $0.append(failure) } }
    }
}
