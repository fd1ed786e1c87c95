// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A long body in memory that breaks off is resumed, if that is safe.
@Suite(.timeLimit(.minutes(10))) struct ResumingBodyTests {
    private func site(_ remote: RemoteFile) -> Resource {
        let site = Resource("http://a.example/data.bin", transport: remote.transport.watched) {
            $0.clock = HastyClock()
        }
        return site
    }

    @Test(arguments: [[70_000], [1], [30_000, 30_000]]) func aBreakIsMended(breaks: [Int]) async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = breaks }
        let response = try await site(remote).get()
        #expect(response.bytes.bytes == remote.bytes)
        #expect(response.status == .ok)
        #expect(remote.seen.count == breaks.count + 1)
        #expect(remote.seen.last?[.ifRange] == "\"v1\"")
        #expect(remote.seen.last?[.acceptEncoding] == remote.seen.first?[.acceptEncoding])
    }

    @Test func bodyOf64KiBIsResumed() async throws {
        let remote = RemoteFile(count: 65_536)
        remote.change { $0.breaks = [10_000] }
        #expect(try await site(remote).get().bytes.bytes == remote.bytes)
        #expect(remote.seen.map { $0[.range] } == [nil, "bytes=10000-"])
    }

    @Test func aBodyThatIsCheckedIsRequestedAgainAsAWhole() async throws {
        final class Whole: Authorizer {
            let counts = Mutex<[Int]>([])
            func authorize(_ request: inout EncodedRequest) async throws {}
            func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
                let count = Mutex(0)
                return BodyCheck { piece in
                    count.withLock { $0 += piece.count }
                } finish: { [self] in
                    counts.withLock { $0.append(count.withLock(\.self)) }
                }
            }
        }
        let (remote, whole) = (RemoteFile(), Whole())
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { $0.authorizers.append(whole) }
        #expect(try await site.get().bytes.bytes == remote.bytes)
        #expect(remote.seen.count == 2 && remote.seen.last?[.range] == nil)
        #expect(whole.counts.withLock(\.self) == [remote.bytes.count])
    }

    @Test("a file that has changed in the meantime is requested as a whole, never mixed")
    func changed() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [
                { _, answer in
                    remote.change { state in
                        state.tag = "\"v2\""
                        state.bytes = RemoteFile.content(100_000, seed: 3)
                    }
                    return answer
                }
            ]
        }
        let response = try await site(remote).get()
        #expect(response.bytes.bytes == RemoteFile.content(100_000, seed: 3))
        #expect(response.attempts.map(\.reason) == [.call, .resume, .retry])
        #expect(remote.seen.count == 3)
        #expect(remote.seen.last?[.range] == nil)
    }

    @Test func aThirdBreakIsAnError() async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [10_000, 10_000, 10_000] }
        #expect(try await failure { try await site(remote).get() }.code == .truncatedBody)
        #expect(remote.seen.count == 3)
    }

    @Test(
        "Without a strong tag, or if it is short, the whole is requested again",
        arguments: ["weak", "none", "short"]
    )
    func notMended(kind: String) async throws {
        let remote = RemoteFile(count: kind == "short" ? 65_535 : 100_000)
        remote.change { state in
            state.breaks = [10_000]
            switch kind {
            case "weak": state.tag = "W/\"v1\""
            case "none": state.tag = nil
            default: break
            }
        }
        #expect(try await site(remote).get().bytes.bytes == remote.bytes)
        #expect(remote.seen.count == 2)
        #expect(remote.seen.last?[.range] == nil)
    }

    @Test func anEncodedBodyIsResumedInItsCoding() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.extra[.contentEncoding] = "Deflate"
        }
        let site = site(remote)
        site.setRules { $0.contentCodings = [] }
        let response = try await site.get()
        #expect(response.bytes.bytes == remote.bytes && response.attempts.map(\.reason) == [.call, .resume])
    }

    @Test("a rest in another coding is refused, and the whole requested", arguments: ["gzip", nil])
    func anotherCoding(coding: String?) async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.extra[.contentEncoding] = "deflate"
            state.twists = [
                { _, answer in
                    remote.change { $0.extra[.contentEncoding] = coding }
                    return answer
                }
            ]
        }
        let site = site(remote)
        site.setRules { $0.contentCodings = [] }
        let response = try await site.get()
        #expect(response.bytes.bytes == remote.bytes)
        #expect(response.attempts.map(\.reason) == [.call, .resume, .retry])
    }

    @Test(arguments: [[70_000], [30_000, 30_000]]) func aStreamIsResumed(breaks: [Int]) async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = breaks }
        let site = site(remote)
        site.setRules { $0.maxConcurrentRequests = 1 }
        var bytes: [UInt8] = []
        for try await chunk in try await site.call(.get).stream() { bytes += chunk.bytes }
        #expect(bytes == remote.bytes && remote.seen.count == breaks.count + 1)
        #expect(site.runningCalls.isEmpty)
    }

    @Test func aStreamListsItsResumptionsAndEndsWithItsOwnStatus() async throws {
        let remote = RemoteFile()
        let ended = Mutex<CallEvent.Outcome?>(nil)
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { rules in
            rules.observers.append { event in
                if case .ended(let outcome) = event.kind { ended.withLock { $0 = outcome } }
            }
        }
        let stream = try await site.call(.get).stream()
        for try await _ in stream {}
        #expect(stream.attempts.map(\.reason) == [.call, .resume])
        guard case .streamed(let status, let count) = ended.withLock(\.self) else {
            Issue.record("no end")
            return
        }
        #expect(status == .ok && count == 100_000)
    }

    @Test("a stream that is cancelled while it waits, or after it was resumed, ends", arguments: [0, 1, 2])
    func cancelledStream(way: Int) async throws {
        let (remote, clock) = (RemoteFile(), ManualClock())
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { rules in
            rules.clock = clock
            rules.retry = RetryPolicy(backoff: RetryBackoff(base: .seconds(5), jitter: { 1 }))
        }
        let stream = try await site.call(.get).stream()
        let reading = Task {
            var count = 0
            for try await chunk in stream {
                count += chunk.count
                if way == 2, count > 70_000 { site.cancelAll() }
            }
        }
        try await clock.waitForSleepers(1)
        if way == 0 { stream.cancel() }
        if way == 1 { reading.cancel() }
        if way == 2 { clock.advance(by: .seconds(5)) }
        await #expect(throws: (any Error).self) { try await reading.value }
        #expect(remote.seen.count == (way == 2 ? 2 : 1) && clock.sleeperCount == 0)
    }

    @Test func aStreamWhoseSourceHasChangedEndsWithTheBreak() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [
                { _, answer in
                    remote.change { $0.tag = "\"v2\"" }
                    return answer
                }
            ]
        }
        var count = 0
        let error = try await failure {
            for try await chunk in try await site(remote).call(.get).stream() { count += chunk.count }
        }
        #expect(error.code == .truncatedBody && count == 70_000 && remote.seen.count == 2)
    }

    @Test func aStreamThatWaitsForItsRestCanBeCancelled() async throws {
        let (remote, clock) = (RemoteFile(), ManualClock())
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { rules in
            rules.clock = clock
            rules.retry = RetryPolicy(backoff: RetryBackoff(base: .seconds(5), jitter: { 1 }))
        }
        let reading = Task {
            for try await _ in try await site.call(.get).stream() {}
        }
        try await clock.waitForSleepers(1)
        #expect(site.cancelAll() == 1)
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(remote.seen.count == 1 && site.runningCalls.isEmpty)
    }

    @Test(
        "what may not be resumed breaks off, in memory after another request for the whole",
        arguments: [true, false]
    )
    func notAllowed(isStream: Bool) async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { $0.resumes = false }
        if isStream {
            let error = try await failure {
                for try await _ in try await site.call(.get).stream() {}
            }
            #expect(error.code == .truncatedBody && remote.seen.count == 1)
        } else {
            #expect(try await site.get().attempts.map(\.reason) == [.call, .retry])
        }
        #expect(!remote.seen.contains { $0[.range] != nil })
    }

    /// The bytes of a body in another form of the same length, by their places.
    private final class Deciphered: ResponseBodySource {
        private let body: ResponseBody
        private let place = Mutex(0)

        init(_ body: ResponseBody) { self.body = body }

        func next() async throws -> ResponseBodyElement {
            guard let chunk = try await body.next() else { return .end(body.end ?? ExchangeEnd()) }
            return place.withLock { place in
                defer { place += chunk.count }
                return .bytes(ByteChunk(chunk.bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: place + $0) }))
            }
        }

        func cancel() { body.cancel() }
    }

    @Test func aBodyThatAnInterceptorReplacesIsRequestedAgainAsAWhole() async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { rules in
            rules.interceptors.append { request, next in
                let response = try await next(request)
                let body = ResponseBody(expectedLength: response.body.expectedLength, source: Deciphered(response.body))
                return TransportResponse(head: response.head, body: body)
            }
        }
        let bytes = try await site.get().bytes.bytes
        #expect(bytes == remote.bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: $0) })
        #expect(remote.seen.count == 2 && remote.seen.last?[.range] == nil)
    }

    @Test("a rest that an interceptor replaces is not put behind what came before", arguments: [true, false])
    func replacedRest(isStream: Bool) async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { rules in
            rules.interceptors.append { request, next in
                let response = try await next(request)
                guard response.head.status == .partialContent else { return response }
                let body = ResponseBody(expectedLength: response.body.expectedLength, source: Deciphered(response.body))
                return TransportResponse(head: response.head, body: body)
            }
        }
        if isStream {
            var bytes: [UInt8] = []
            let error = try await failure {
                for try await chunk in try await site.call(.get).stream() { bytes += chunk.bytes }
            }
            #expect(error.code == .truncatedBody && bytes == Array(remote.bytes.prefix(70_000)))
        } else {
            #expect(try await site.get().bytes.bytes == remote.bytes)
        }
    }

    @Test("the record names each exchange: what broke off, and how its rest was answered", arguments: [true, false])
    func records(isStream: Bool) async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000, 10_000] }
        let attempts: [AttemptRecord]
        if isStream {
            let stream = try await site(remote).call(.get).stream()
            for try await _ in stream {}
            #expect(stream.status == .ok)
            attempts = stream.attempts
        } else {
            let response = try await site(remote).get()
            #expect(response.status == .ok)
            attempts = response.attempts
        }
        #expect(attempts.map(\.reason) == [.call, .resume, .resume] && attempts.map(\.number) == [1, 2, 3])
        #expect(attempts.map(\.end) == ["truncatedBody", "truncatedBody", "206"])
        #expect(attempts.map { $0.retry?.delay != nil } == [true, true, false])
    }

    @Test("an error of a stream has the record of all exchanges")
    func recordsOfAFailedStream() async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000, 10_000, 1_000, 1_000, 1_000] }
        let site = site(remote)
        site.setRules { $0.retry = RetryPolicy(limit: 2) }
        let error = try await failure { for try await _ in try await site.call(.get).stream() {} }
        #expect(error.code == .truncatedBody)
        #expect(error.attempts.map(\.reason) == [.call, .resume, .resume])
        #expect(error.attempts.map(\.end) == ["truncatedBody", "truncatedBody", "truncatedBody"])
        #expect(error.attempts.last?.retry?.obstacle == .limit(2))
    }

    @Test("what led to a body and what led to its rest are both in the record", arguments: [true, false])
    func recordsWithRedirects(isStream: Bool) async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [nil, { _, _ in .response(.temporaryRedirect, headers: [.location: "/other.bin"]) }]
        }
        // The redirects end at the same URL, since another one may be another resource.
        let transport = StubTransport { request in
            request.path == "/data.bin" ? remote.answer(request) : .response(.found, headers: [.location: "/data.bin"])
        }
        let site = Resource("http://a.example/start", transport: transport.watched) { $0.clock = HastyClock() }
        let attempts: [AttemptRecord]
        if isStream {
            let stream = try await site.call(.get).stream()
            for try await _ in stream {}
            #expect(stream.history.count == 1)
            attempts = stream.attempts
        } else {
            let response = try await site.get()
            #expect(response.bytes.bytes == remote.bytes && response.history.count == 1)
            attempts = response.attempts
        }
        #expect(attempts.map(\.reason) == [.call, .redirect, .resume, .redirect, .redirect])
        #expect(attempts.map(\.end) == ["302", "truncatedBody", "307", "302", "206"])
        #expect(attempts.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test func callIsRetriedAtHomeAfterRemainingBytesWereRedirectedAway() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [
                nil, { _, _ in .response(.temporaryRedirect, headers: [.location: "http://b.example/data.bin"]) },
            ]
        }
        let transport = StubTransport { request in
            request.request.origin.host == "b.example" ? .response(.expectationFailed) : remote.answer(request)
        }
        let site = Resource("http://a.example/data.bin", transport: transport.watched) { rules in
            rules.clock = HastyClock()
            rules.authorizers.append(.bearer("secret"))
        }
        let response = try await site.get()
        #expect(response.bytes.bytes == remote.bytes)
        #expect(response.attempts.map(\.reason) == [.call, .resume, .redirect, .retry])
        let requests = transport.requests
        #expect(requests.map(\.request.origin.host) == ["a.example", "a.example", "b.example", "a.example"])
        #expect(requests.map { $0.headers[.range] != nil } == [false, true, true, false])
        // The redirect concerned the remaining bytes only: nothing secret went there, and the call begins again at home.
        #expect(requests.map { $0.headers[.authorization] != nil } == [true, true, false, true])
    }

    @Test("a rest that finds no server is in the record of the error", arguments: [true, false])
    func recordsOfAServerThatIsGone(isStream: Bool) async throws {
        let remote = RemoteFile()
        let gone: RemoteFile.Twist = { _, _ in .failure(TransportFailure(.connect, "gone")) }
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [nil] + [RemoteFile.Twist?](repeating: gone, count: 9)
        }
        let transport = StubTransport { request in
            request.path == "/start" ? .response(.found, headers: [.location: "/data.bin"]) : remote.answer(request)
        }
        let site = Resource("http://a.example/start", transport: transport.watched) { rules in
            rules.clock = HastyClock()
            rules.retry = RetryPolicy(limit: 1)
        }
        let error: CumulusError
        if isStream {
            let stream = try await site.call(.get).stream()
            error = try await failure { for try await _ in stream {} }
            #expect(stream.attempts.map(\.end) == ["302", "truncatedBody", "connect"])
        } else {
            error = try await failure { try await site.get() }
        }
        #expect(error.attempts.map(\.reason) == [.call, .redirect, .resume])
        #expect(error.attempts.map(\.end) == ["302", "truncatedBody", "connect"])
    }

    @Test("a rest that was refused is in the record, one that was never requested is not")
    func refusedRests() async throws {
        let remote = RemoteFile()
        remote.change { state in
            state.breaks = [70_000]
            state.twists = [nil, { _, _ in .response(.forbidden) }]
        }
        let site = site(remote)
        let refused = try await failure { for try await _ in try await site.call(.get).stream() {} }
        #expect(refused.attempts.map(\.end) == ["truncatedBody", "403"] && remote.seen.count == 2)

        let other = RemoteFile()
        other.change { $0.breaks = [70_000] }
        let guarded = self.site(other)
        guarded.setRules { rules in
            rules.interceptors.append { request, next in
                if request.headers[.range] != nil { throw CancellationError() }
                return try await next(request)
            }
        }
        let stream = try await guarded.call(.get).stream()
        await #expect(throws: (any Error).self) { for try await _ in stream {} }
        #expect(stream.attempts.map(\.reason) == [.call] && other.seen.count == 1)
    }

    @Test("a busy server is asked for the rest when it says, or never", arguments: [true, false])
    func busyServers(isStream: Bool) async throws {
        func read(_ wait: String) async throws -> (RemoteFile, [AttemptRecord], Int) {
            let remote = RemoteFile()
            let busy: RemoteFile.Twist = { _, _ in .response(.serviceUnavailable, headers: [.retryAfter: wait]) }
            remote.change { ($0.breaks, $0.twists) = ([70_000], [nil, busy]) }
            guard isStream else {
                let response = try await site(remote).get()
                return (remote, response.attempts, response.bytes.count)
            }
            let stream = try await site(remote).call(.get).stream()
            var count = 0
            for try await chunk in stream { count += chunk.count }
            return (remote, stream.attempts, count)
        }
        let (remote, attempts, count) = try await read("9")
        #expect(count == 100_000 && remote.seen.count == 3)
        #expect(attempts.map(\.reason) == [.call, .resume, .resume])
        #expect(attempts.map(\.end) == ["truncatedBody", "503", "206"])
        let error = try await failure { _ = try await read("100") }
        #expect(error.code == .truncatedBody && error.attempts.map(\.end) == ["truncatedBody", "503"])
        let obstacle = error.attempts.last?.retry?.obstacle
        #expect(obstacle == .wait(.seconds(100), allowed: .seconds(60)), "\(String(describing: obstacle))")
    }

    @Test(
        "A server that wants nothing for longer than the call may take is not asked for the whole, either",
        arguments: [true, false],
        [true, false]
    )
    func toldTooLate(isStream: Bool, byDeadline: Bool) async throws {
        let remote = RemoteFile()
        let busy: RemoteFile.Twist = { _, _ in .response(.serviceUnavailable, headers: [.retryAfter: "30"]) }
        remote.change { ($0.breaks, $0.twists) = ([70_000], [nil, busy]) }
        let site = site(remote)
        site.setRules { rules in
            rules.clock = ManualClock()
            rules.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
            if byDeadline { rules.deadline = .seconds(20) } else { rules.retry?.maxTime = .seconds(20) }
        }
        let error = try await failure {
            if isStream {
                for try await _ in try await site.call(.get).stream() {}
            } else {
                _ = try await site.get()
            }
        }
        #expect(error.code == .truncatedBody && error.attempts.map(\.end) == ["truncatedBody", "503"])
        let wait = Duration.seconds(30)
        let expected: RetryDecision.Obstacle = byDeadline ? .deadline(wait) : .time(wait, allowed: .seconds(20))
        #expect(error.attempts.last?.retry?.obstacle == expected)
        #expect(remote.seen.count == 2)
    }

    @Test("the policy says which statuses may pass, also for the rest", arguments: [true, false])
    func statusesOfThePolicy(isStream: Bool) async throws {
        func ends(
            after status: HTTPResponse.Status,
            _ headers: Headers = [:],
            for policy: RetryPolicy
        ) async throws -> [String] {
            let remote = RemoteFile()
            remote.change {
                ($0.breaks, $0.twists) = ([70_000], [nil, { _, _ in .response(status, headers: headers) }])
            }
            let site = site(remote)
            site.setRules { $0.retry = policy }
            guard isStream else { return try await site.get().attempts.map(\.end) }
            let stream = try await site.call(.get).stream()
            do { for try await _ in stream {} } catch {}
            return stream.attempts.map(\.end)
        }
        let (no, yes) = (isStream ? [] : ["200"], ["206"])
        #expect(try await ends(after: 520, for: RetryPolicy()) == ["truncatedBody", "520"] + no)
        #expect(try await ends(after: 520, for: RetryPolicy(statuses: [520])) == ["truncatedBody", "520"] + yes)
        let none = try await ends(after: .serviceUnavailable, for: RetryPolicy(statuses: []))
        #expect(none == ["truncatedBody", "503"] + no)
        #expect(try await ends(after: .forbidden, for: RetryPolicy()) == ["truncatedBody", "403"] + no)
        let limited = try await ends(after: .forbidden, [.retryAfter: "1"], for: RetryPolicy())
        #expect(limited == ["truncatedBody", "403"] + yes)
    }

    @Test("an interceptor that passes the body on is no obstacle")
    func interceptor() async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { $0.interceptors.append { request, next in try await next(request) } }
        #expect(try await site.get().attempts.map(\.reason) == [.call, .resume])
    }

    @Test("Without retries nothing is requested again")
    func never() async throws {
        let remote = RemoteFile()
        remote.change { $0.breaks = [70_000] }
        let site = site(remote)
        site.setRules { $0.retry = .never }
        #expect(try await failure { try await site.get() }.code == .truncatedBody)
        #expect(remote.seen.count == 1)
    }

    @Test func aLimitOfOneIsNoObstacleAndProgressCountsOn() async throws {
        let remote = RemoteFile()
        let site = site(remote)
        site.setRules { $0.maxConcurrentRequests = 1 }
        let last = Mutex<TransferProgress?>(nil)
        site.setRules { $0.observers = [.progress { event in last.withLock { $0 = event } }] }
        remote.change { $0.breaks = [50_000] }
        #expect(try await site.get().bytes.count == 100_000)
        #expect(last.withLock(\.self)?.completed == 100_000)
        #expect(last.withLock(\.self)?.isFinished == true)
    }

    @Test func aSumThatIsTooGreatForMemoryIsLeftAlone() async throws {
        let remote = RemoteFile()
        let site = site(remote)
        site.setRules { $0.maxBodySize = 80_000 }
        #expect(try await failure { try await site.get() }.code == .bodyTooLarge)
        #expect(remote.seen.count == 1)
    }

    @Test("a rest that is shorter or longer than its head says is an error", arguments: [10, 49_999, 50_001])
    func restsOfAnotherLength(count: Int) async throws {
        let whole = RemoteFile.content(100_000)
        let transport = StubTransport { request in
            var headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
            guard request.headers[.range] != nil else {
                headers[.contentLength] = "100000"
                return .script(RemoteFile.steps(whole, 50_000), headers: headers)
            }
            // Not framed by its length.
            headers[.contentRange] = "bytes 50000-99999/100000"
            let rest = (whole + whole).dropFirst(50_000).prefix(count)
            return .script([.chunk(Array(rest))], status: .partialContent, headers: headers)
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.clock = HastyClock() }
        let error = try await failure { try await site.get() }
        #expect(error.code == (count < 50_000 ? .truncatedBody : .malformedResponse))
    }
}

extension AttemptRecord {
    /// Its outcome in one word.
    var end: String {
        switch outcome {
        case .responded(let status): "\(status.code)"
        case .failed(let error as CumulusError): "\(error.code)"
        case .failed(let error): "\(type(of: error))"
        }
    }
}
