// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import CumulusCore

/// One line per phase, secrets redacted, nothing at all by default.
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

    @Test func oneLineAPhase() async throws {
        let site = site(.debug) { request in
            request.path == "/old"
                ? .response(.found, headers: [.location: "/new"]) : .text("hello")
        }
        try await site["old"].post(.text("12345"), query: ["token": "abc"]).requireSuccess()
        let zero = "0 s"
        #expect(
            log.texts == [
                "POST http://a.example/old?token=<redacted> started",
                "attempt 1: POST http://a.example/old?token=<redacted> with 5 bytes, after \(zero)",
                "answered 302, after \(zero)", "redirected to GET http://a.example/new, after \(zero)",
                "attempt 2: GET http://a.example/new with no body, after \(zero)", "answered 200, after \(zero)",
                "POST http://a.example/old?token=<redacted> finished: 200, 5 bytes, after \(zero)",
            ]
        )
        #expect(log.lines.last?.level == .info)
    }

    @Test func atInfoOnlyTheEndIsWritten() async throws {
        let site = site(.info) { _ in .text("hello") }
        try await site["a"].get().requireSuccess()
        #expect(log.texts == ["GET http://a.example/a finished: 200, 5 bytes, after 0 s"])
    }

    @Test func aFailureIsWrittenAsAnError() async throws {
        let site = site(.error) { _ in .failure(TransportFailure(.connect, "no way")) }
        site.setRules { $0.retry = .never }
        _ = try await failure { try await site["a"].get() }
        #expect(log.texts == ["connect GET http://a.example/a: no way, after 0 s"])
        #expect(log.lines.first?.level == .error)
    }

    @Test func aRefusalAndAValueThatCantBeDecodedAreFailures() async throws {
        struct No: Error {}
        let site = site(.error) { _ in .json("{}") }
        _ = try await failure { try await site.get(as: [Int].self) }
        site.setRules { $0.preflights = [{ _ in throw No() }] }
        _ = try await failure { try await site.get() }
        #expect(log.texts.count == 2)
        #expect(log.texts.first?.hasPrefix("decoding") == true)
        #expect(log.texts.last?.hasPrefix("refused") == true)
    }

    @Test func cancellingIsNoFailure() async throws {
        let site = site(.info) { _ in .text("late").delayed(by: .seconds(5)) }
        let task = Task { try await site.get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        task.cancel()
        _ = await task.result
        #expect(log.texts == ["GET http://a.example/ cancelled after 1 s"])
        #expect(log.lines.first?.level == .info)
    }

    @Test func aStreamIsLoggedToItsHead() async throws {
        let site = site(.info) { _ in .text("hello") }
        _ = try await site.call(.get).stream()
        #expect(log.texts == ["GET http://a.example/ finished: 200, the body follows, after 0 s"])
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
        #expect(!log.texts.joined().contains("hunter2"))
        #expect(log.texts.contains { $0.contains("Authorization: <redacted>") } == (level == .trace))
    }

    @Test func bodiesAreLoggedOnlyWhereTheSettingSaysSo() async throws {
        let site = site(.trace) { _ in .text("01234\u{1B}[2J\n") }
        site.setRules { $0.loggedBodySize = 8 }
        try await site.post(.text("body")).requireSuccess()
        #expect(log.texts.contains("body"))
        #expect(log.texts.contains(#"01234\u001b[2... (10 bytes)"#), "\(log.texts)")
    }

    @Test func itIsInheritedAndTurnedOff() async throws {
        let site = site(.info) { _ in .text("hello") }
        let quiet = site["quiet"]
        quiet.setRules { $0.logger = nil }
        try await quiet.get().requireSuccess()
        #expect(log.texts.isEmpty)
        try await site["a"]["b"].get().requireSuccess()
        #expect(log.texts.count == 1)
        quiet.setRules { $0.inherit(\.logger) }
        try await quiet.get().requireSuccess()
        #expect(log.texts.count == 2)
        #expect(site.explain(\.logger).value == "test at info")
    }

    @Test func itIsOffByDefault() { #expect(LoggerKey.defaultValue == nil || EnvironmentLogging.level != nil) }

    @Test func withoutALoggerThereIsNothingToAsk() {
        let settings = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched).snapshot
        #expect(CallLog(settings.values) == nil || EnvironmentLogging.level != nil)
    }

    @Test(
        arguments: [
            ("error", .error), ("INFO", .info), ("debug", .debug), ("trace", .trace), ("off", nil), ("", nil),
            ("loud", nil), (nil, nil),
        ] as [(String?, Logger.Level?)]
    ) func theEnvironmentNamesALevel(word: String?, level: Logger.Level?) {
        #expect(EnvironmentLogging.level(named: word) == level)
    }
}
