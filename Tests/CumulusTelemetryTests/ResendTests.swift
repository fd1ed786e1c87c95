// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusOAuth
import CumulusTelemetry
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import TestSupport
import Testing
import Tracing

/// Calls of several exchanges, and calls of none.
@Suite(.timeLimit(.minutes(5))) struct ResendTests {
    private func counts(_ bench: TelemetryBench) -> [String?] { bench.spans.map { $0["http.request.resend_count"] } }

    @Test func retriedCallHasASpanForEachExchange() async throws {
        let bench = TelemetryBench { request in request.number < 3 ? .status(.serviceUnavailable) : .text("") }
        bench.site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        try await bench.tracer.withSpan("job") { _ in _ = try await bench.site.get() }
        let spans = bench.spans.dropLast()
        #expect(spans.map { $0["http.response.status_code"] } == ["503", "503", "200"])
        #expect(spans.map { $0["http.request.resend_count"] } == [nil, "1", "2"])
        #expect(Set(spans.map(\.span.parentSpanID)).count == 1, "the exchanges are siblings")
        #expect(bench.metrics.counterTotal(label: "cumulus.client.resends") == 2)
        #expect(bench.metrics.counters(label: "cumulus.client.resends").first?.dimensions.last?.1 == "retry")
    }

    @Test func redirectWithinTheOriginKeepsTheTrace() async throws {
        let bench = TelemetryBench { request in
            request.path == "/old" ? .response(.found, headers: [.location: "/new"]) : .text("")
        }
        _ = try await bench.site["old"].get()
        #expect(bench.spans.map(\.name) == ["GET /old", "GET"], "the new path is data of the server")
        #expect(counts(bench) == [nil, "1"])
        #expect(bench.traced == ["https://a.example/old", "https://a.example/new"])
    }

    @Test func redirectToAnotherOriginLosesTheTraceForGood() async throws {
        let bench = TelemetryBench(propagation: .origins([Origin(scheme: .https, host: "a.example"), other])) {
            request in
            switch request.url {
            case "https://a.example/x": .response(.found, headers: [.location: "https://b.example/y"])
            case "https://b.example/y": .response(.found, headers: [.location: "https://a.example/z"])
            default: .text("")
            }
        }
        _ = try await bench.site["x"].get()
        #expect(bench.transport.requests.count == 3)
        #expect(bench.traced == ["https://a.example/x"])
        #expect(bench.spans.map { $0["server.address"] } == ["a.example", "b.example", "a.example"])
    }

    private var other: Origin { Origin(scheme: .https, host: "b.example") }

    @Test func linkToAnotherOriginIsTracedOnlyIfTheSettingAllowsIt() async throws {
        let own = TelemetryBench { _ in .text("") }
        _ = try await own.site.follow("https://b.example/x").get()
        #expect(own.spans.count == 1 && own.traced.isEmpty)
        let both = TelemetryBench(propagation: .origins([other])) { _ in .text("") }
        _ = try await both.site.follow("https://b.example/x").get()
        _ = try await both.site.get()
        #expect(both.traced == ["https://b.example/x"])
        let none = TelemetryBench(propagation: .none) { _ in .text("") }
        _ = try await none.site.get()
        #expect(none.spans.count == 1 && none.traced.isEmpty)
    }

    @Test func challengeIsAnErrorAndItsAnswerIsResent() async throws {
        let bench = TelemetryBench { request in
            request.headers[.authorization] == nil
                ? .response(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="r", nonce="n", qop="auth""#])
                : .text("")
        }
        bench.site.setRules { $0.authorizers = [.digest(user: "u", password: "p")] }
        _ = try await bench.site.get()
        #expect(bench.spans.map { $0["error.type"] } == ["401", nil])
        #expect(counts(bench) == [nil, "1"])
    }

    @Test func requestForATokenHasASpanButNotTheTrace() async throws {
        let bench = TelemetryBench { request in
            request.path == "/token" ? .json(["access_token": "hunter2", "token_type": "Bearer"]) : .text("")
        }
        bench.site.setRules {
            $0.authorizers = [.oauth2(.clientCredentials(id: "c", secret: "s"), tokens: "https://login.example/token")]
        }
        _ = try await bench.site.get()
        #expect(bench.spans.map(\.name) == ["POST", "GET"])
        #expect(bench.traced == ["https://a.example/"])
        #expect(!"\(bench.spans)".contains("hunter2"))
    }

    @Test func responseFromACacheHasNoSpanAndARefreshHasOne() async throws {
        let bench = TelemetryBench { request in
            .response(headers: [.cacheControl: "max-age=10, stale-while-revalidate=100"], body: [UInt8(request.number)])
        }
        bench.site.setRules { $0.cache = .memory(megabytes: 1) }
        for _ in 1...3 { #expect(try await bench.site.get().bytes.bytes == [1]) }
        #expect(bench.spans.count == 1)
        #expect(bench.metrics.counterTotal(label: "cumulus.client.cache_hits") == 2)
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.site.get().bytes.bytes == [1])
        await bench.site.waitUntilIdle()
        #expect(bench.spans.count == 2)
    }

    @Test func joinedCallLinksToTheSpanOfTheOther() async throws {
        let gate = Gate()
        let bench = TelemetryBench { _ in
            try await gate.wait()
            return .text("shared")
        }
        var call = bench.site.call(.get)
        call.key = .joining("k")
        let leader = call.start()
        while gate.waiterCount == 0 { await Task.yield() }
        let follower = call.start()
        while bench.site.runningCalls.count < 2 { await Task.yield() }
        // The follower joins before the exchange ends, since its call is running; the exchange waits for the gate.
        try await eventually { bench.site.runningCalls.count == 2 }
        for _ in 1...100 { await Task.yield() }
        gate.open()
        #expect(try await leader.value.text == "shared")
        #expect(try await follower.value.text == "shared")
        #expect(bench.transport.requests.count == 1)
        let exchange = try #require(bench.spans.first { $0.span.kind == .client })
        let joined = try #require(bench.spans.first { $0.span.kind == .internal })
        #expect(joined.name == "GET joined")
        #expect(joined.span.links.map { $0.context.inMemorySpanContext?.spanID } == [exchange.span.spanID])
    }

    @Test func interruptedBodyIsResumedInAnotherSpan() async throws {
        let whole = [UInt8](repeating: 7, count: 200_000)
        let bench = TelemetryBench { request in
            if request.headers[.range] == nil {
                return .script(
                    [.chunk(Array(whole[..<100_000])), .fail(TransportFailure(.truncated, "cut"))],
                    headers: [.contentLength: "200000", .eTag: "\"v\""]
                )
            }
            return .response(
                .partialContent,
                headers: [.contentRange: "bytes 100000-199999/200000", .eTag: "\"v\""],
                body: Array(whole[100_000...])
            )
        }
        bench.site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        #expect(try await bench.site.get().bytes.count == 200_000)
        #expect(bench.spans.map { $0["error.type"] } == ["truncated", nil])
        #expect(counts(bench) == [nil, "1"])
    }

    @Test func segmentsOfADownloadHaveASpanEach() async throws {
        let (whole, all, folder) = ([UInt8](repeating: 7, count: 1 << 20), Gate(), try TemporaryFolder())
        let bench = TelemetryBench { request in
            let headers: Headers = [.acceptRanges: "bytes", .eTag: "\"v\""]
            func steps(_ bytes: [UInt8]) -> [StubResponse.Step] {
                [.chunk(Array(bytes[..<1_000])), .gate(all), .chunk(Array(bytes[1_000...]))]
            }
            guard let range = request.headers[.range] else {
                return .script(steps(whole), headers: headers.merging([.contentLength: "\(whole.count)"]))
            }
            let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            let bytes = Array(whole[ends[0]...ends[1]])
            let described = "bytes \(ends[0])-\(ends[1])/\(whole.count)"
            let part = headers.merging([.contentRange: described, .contentLength: "\(bytes.count)"])
            return .script(steps(bytes), status: .partialContent, headers: part)
        }
        // The first response would otherwise continue over a segment that has not delivered a byte.
        Task {
            defer { all.open() }
            try await eventually { all.waiterCount == 4 }
        }
        var options = DownloadOptions()
        options.connections = 4
        let file = try await bench.tracer.withSpan("job") { _ in
            try await bench.site["file"].download(to: .file("\(folder.path)/file"), options: options)
        }
        #expect(file.byteCount == 1 << 20)
        let spans = bench.spans.dropLast()
        #expect(
            spans.map { $0["http.response.status_code"] }.sorted { $0 ?? "" < $1 ?? "" } == [
                "200", "206", "206", "206",
            ]
        )
        #expect(Set(spans.map(\.span.parentSpanID)).count == 1, "the segments are siblings")
        #expect(bench.traced.count == 4)
    }
}
