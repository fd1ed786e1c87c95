// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import CumulusCore

/// One line for each call at `debug`, its steps at `trace`, fixed messages with metadata, and no secrets.
@Suite(.timeLimit(.minutes(10))) struct LoggingTests {
    private let log = LogRecorder()
    private let clock = ManualClock()

    private func site(_ level: Logger.Level, _ respond: @escaping StubRoutes.Respond) -> Resource {
        let site = Resource("http://a.example", transport: StubTransport(answering: respond).watched) {
            $0.clock = clock
            $0.logger = log.logger(level)
        }
        return site
    }

    @Test func callHasOneLineAtDebug() async throws {
        let site = site(.debug) { request in
            request.path == "/old"
                ? .response(.found, headers: [.location: "/new"]) : .text("hello")
        }
        try await site["old"].post(.text("12345"), query: ["token": "abc"]).requireSuccess()
        #expect(log.texts == ["Call finished"])
        let line = try #require(log.lines.first)
        #expect(line.level == .debug)
        #expect(line.metadata["cumulus.call"] != nil)
        var others = line.metadata
        others["cumulus.call"] = nil
        #expect(
            others == [
                "http.request.method": "POST", "url.full": "http://a.example/old?token=<redacted>",
                "http.response.status_code": "200", "http.response.body.size": "5", "cumulus.attempt": "2",
                "cumulus.elapsed": "0.0",
            ]
        )
    }

    @Test func stepsAreLinesAtTrace() async throws {
        let site = site(.trace) { request in
            request.path == "/old" ? .response(.found, headers: [.location: "/new"]) : .text("hello")
        }
        try await site["old"].get().requireSuccess()
        #expect(
            log.texts == [
                "Call started", "Sending request", "Received response head", "Sending another request",
                "Sending request", "Received response head", "Received response", "Call finished",
            ]
        )
        #expect(log.lines.dropLast().allSatisfy { $0.level == .trace })
        #expect(Set(log.lines.map { $0.metadata["cumulus.call"] }).count == 1)
        #expect(log.lines[3].metadata["cumulus.reason"] == "redirect")
        #expect(log.lines[4].metadata["url.full"] == "http://a.example/new")
    }

    @Test func failedCallIsALineAtDebug() async throws {
        let site = site(.debug) { _ in .failure(TransportFailure(.connect, "no way")) }
        site.setRules { $0.retry = .never }
        _ = try await failure { try await site["a"].get() }
        #expect(log.texts == ["Call failed"])
        let line = try #require(log.lines.first)
        #expect(line.level == .debug)
        #expect(line.metadata["error.type"] == "connect")
        #expect(line.metadata["error.message"] == "connect GET http://a.example/a: no way")
    }

    @Test func refusalAndValueThatCannotBeDecodedAreFailures() async throws {
        struct No: Error {}
        let site = site(.debug) { _ in .json("{}") }
        _ = try await failure { try await site.get(as: [Int].self) }
        site.setRules { $0.preflights = [{ _ in throw No() }] }
        _ = try await failure { try await site.get() }
        #expect(log.texts == ["Call failed", "Call failed"])
        #expect(log.lines.map { $0.metadata["error.type"] } == ["decoding", "refused"])
    }

    @Test func retryIsALineAtInfoSinceNoErrorReportsIt() async throws {
        let site = site(.info) { request in request.number == 1 ? .status(.serviceUnavailable) : .text("") }
        site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        try await site.get().requireSuccess()
        #expect(log.texts == ["Attempt failed, retrying"])
        #expect(log.lines.first?.level == .info)
        #expect(log.lines.first?.metadata["cumulus.wait"] == "0.0")
    }

    @Test func exhaustedBudgetIsALineAtInfo() async throws {
        let site = site(.info) { _ in .status(.serviceUnavailable) }
        site.setRules { $0.retry = RetryPolicy(budget: RetryBudget(burst: 0, share: 0, perSecond: 0)) }
        _ = try await site.get()
        #expect(log.texts == ["Retry budget is exhausted"])
    }

    @Test func cancelledCallIsNotAFailure() async throws {
        let site = site(.debug) { _ in .text("late").delayed(by: .seconds(5)) }
        let task = Task { try await site.get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        task.cancel()
        _ = await task.result
        #expect(log.texts == ["Call cancelled"])
        #expect(log.lines.first?.metadata["cumulus.elapsed"] == "1.0")
    }

    @Test func streamIsLoggedAtItsEnd() async throws {
        let site = site(.debug) { _ in .text("hello") }
        let stream = try await site.call(.get).stream()
        #expect(log.texts.isEmpty)
        for try await _ in stream {}
        #expect(log.texts == ["Call finished"])
        #expect(log.lines.first?.metadata["http.response.body.size"] == "5")
    }

    @Test func messagesAreFixedTexts() async throws {
        let site = site(.trace) { request in
            request.number == 1 ? .status(.serviceUnavailable) : .text("hello-\(request.number)")
        }
        site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        try await site["path-7"].put(.text("body-7"), query: ["q-7": 7]).requireSuccess()
        #expect(!log.texts.contains { $0.contains("7") || $0.contains("hello") })
    }

    @Test("no secret is logged at any level", arguments: [Logger.Level.trace, .debug])
    func noSecretIsLogged(level: Logger.Level) async throws {
        let site = site(level) { _ in
            .response(headers: [.setCookie: "id=hunter2", .contentType: "text/plain"], body: Array("hunter2".utf8))
        }
        site.setRules {
            $0.authorizers = [.bearer("hunter2")]
            $0.headers["X-Api-Key"] = "hunter2"
            $0.query["token"] = "hunter2"
        }
        try await site.post(.text("hunter2")).requireSuccess()
        #expect(!"\(log.lines)".contains("hunter2"))
        let headers = log.lines.compactMap { $0.metadata["cumulus.headers"] }
        #expect("\(headers)".contains("<redacted>") == (level == .trace))
    }

    @Test func bodiesAreLoggedOnlyIfTheSettingSaysSo() async throws {
        let site = site(.trace) { _ in .text("01234\u{1B}[2J\n") }
        try await site.post(.text("body")).requireSuccess()
        #expect(!log.lines.contains { $0.metadata["cumulus.body"] != nil })
        site.setRules { $0.loggedBodySize = 8 }
        try await site.post(.text("body")).requireSuccess()
        let bodies = log.lines.compactMap { $0.metadata["cumulus.body"] }
        #expect(bodies == ["body", #"01234\u001b[2... (10 bytes)"#])
    }

    /// A value of the task, such as the number of an incoming request in its service context.
    private enum Incoming { @TaskLocal static var number = 0 }

    @Test func metadataOfTheTaskIsInEachLine() async throws {
        let provider = Logger.MetadataProvider { ["incoming": "\(Incoming.number)"] }
        let gate = Gate()
        let transport = StubTransport { request in
            if request.path == "/held" { try await gate.wait() }
            return request.number == 1 ? .status(.serviceUnavailable) : .text("hello")
        }
        let logged = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.logger = log.logger(.trace, provider)
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
            $0.interceptors = [{ request, next in try await next(request) }]
        }
        try await Incoming.$number.withValue(7) {
            try await logged.get().requireSuccess()
            for try await _ in try await logged.call(.get).stream() {}
            let held = logged["held"].call(.get).start()
            while gate.waiterCount == 0 { await Task.yield() }
            gate.open()
            _ = try await held.value
        }
        #expect(log.lines.count > 10)
        #expect(log.lines.allSatisfy { $0.metadata["incoming"] == "7" })
    }

    @Test func loggerIsInheritedAndTurnedOff() async throws {
        let site = site(.debug) { _ in .text("hello") }
        let quiet = site["quiet"]
        quiet.setRules { $0.logger = nil }
        try await quiet.get().requireSuccess()
        #expect(log.texts.isEmpty)
        try await site["a"]["b"].get().requireSuccess()
        #expect(log.texts.count == 1)
        quiet.setRules { $0.inherit(\.logger) }
        try await quiet.get().requireSuccess()
        #expect(log.texts.count == 2)
        #expect(site.explain(\.logger).value == "test at debug")
    }

    @Test func loggingIsOffByDefault() { #expect(LoggerKey.defaultValue == nil || EnvironmentLogging.level != nil) }

    @Test func callLogNeedsALogger() {
        let settings = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched).snapshot
        #expect(CallLog(settings.values) == nil || EnvironmentLogging.level != nil)
    }

    @Test(
        arguments: [
            ("INFO", .info), ("debug", .debug), ("trace", .trace), ("YES", .debug), ("1", .debug), ("off", nil),
            ("", nil), ("loud", nil), (nil, nil),
        ] as [(String?, Logger.Level?)]
    ) func environmentNamesALevel(word: String?, level: Logger.Level?) {
        #expect(EnvironmentLogging.level(named: word) == level)
    }
}
