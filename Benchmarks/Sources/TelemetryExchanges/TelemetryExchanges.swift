// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusNIO
import CumulusTelemetry
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Tracing

/// Sends the exchanges of `Scripts/telemetry.py` and prints the spans and metrics of each as a line of JSON.
///
///     TelemetryExchanges URL UNUSED-URL      the script's server, and a URL at which nothing listens
@main
struct TelemetryExchanges {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3 else { return print("TelemetryExchanges URL UNUSED-URL") }
        let transport = NIOTransport()
        for exchange in exchanges(unused: words[2]) {
            let (tracer, metrics) = (InMemoryTracer(), TestMetrics())
            let site = Resource(words[1], transport: transport) {
                $0.retry = .never
                $0.telemetry(tracer: tracer, metrics: metrics)
            }
            _ = try? await exchange.send(site)
            await site.waitUntilIdle()
            await tracer.waitForSpans()
            let line: JSON = [
                "exchange": .string(exchange.name), "spans": .array(tracer.finishedSpans.map(Report.span)),
                "durations": .array(metrics.timers(label: "http.client.request.duration").map(Report.timer)),
            ]
            print(String(decoding: line.encoded(), as: UTF8.self))
        }
        await transport.shutdown()
    }

    struct Exchange {
        let name: String
        let send: (Resource) async throws -> Void

        init(_ name: String, _ send: @escaping (Resource) async throws -> Void) {
            (self.name, self.send) = (name, send)
        }
    }

    private static func exchanges(unused: String) -> [Exchange] {
        methods + statuses + resends + bodies + failures(unused: unused)
    }

    private static var methods: [Exchange] {
        [
            Exchange("GET") { _ = try await $0["ok"].get() },
            Exchange("query with secrets") {
                _ = try await $0["ok"].get(query: ["token": "hunter2", "page": 2, "sig": "x"])
            },
            Exchange("user in the URL") { site in
                let root = (site.urlString ?? "").replacing("://", with: "://user:pw@")
                _ = try await site.follow(root.hasSuffix("/") ? "\(root)ok" : "\(root)/ok").get()
            },
            Exchange("template") { _ = try await $0.child(template: "ok/{id}", ["id": 7]).get() },
            Exchange("POST") { _ = try await $0["ok"].post(.text("12345")) },
            Exchange("PUT") { _ = try await $0["ok"].put(.text("12345")) },
            Exchange("PATCH") { _ = try await $0["ok"].patch(.text("12345")) },
            Exchange("DELETE") { _ = try await $0["gone"].delete() },
            Exchange("HEAD") { _ = try await $0["ok"].head() },
            Exchange("OPTIONS") { _ = try await $0["ok"].call(.options).send() },
            Exchange("QUERY") { _ = try await $0["ok"].call(HTTPRequest.Method("QUERY") ?? .get).send() },
            Exchange("unknown method") { _ = try await $0["ok"].call(HTTPRequest.Method("LOCK") ?? .get).send() },
            Exchange("other Host") { _ = try await $0["ok"].get(headers: ["Host": "b.example:8080"]) },
        ]
    }

    private static var statuses: [Exchange] {
        [
            Exchange("304") { _ = try await $0["status/304"].get(headers: [.ifNoneMatch: "\"v\""]) },
            Exchange("404") { _ = try await $0["status/404"].get() },
            Exchange("410") { _ = try await $0["status/410"].get() },
            Exchange("500") { _ = try await $0["status/500"].get() },
            Exchange("999") { _ = try await $0["status/999"].get() },
        ]
    }

    private static var resends: [Exchange] {
        [
            Exchange("503 with a retry") { site in
                let retrying = site.with { $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero)) }
                _ = try await retrying["flaky"].get()
            },
            Exchange("redirect within the origin") { _ = try await $0["old"].get() },
            Exchange("redirect to another origin") { _ = try await $0["away"].get() },
            Exchange("two redirects") { _ = try await $0["older"].get() },
            Exchange("303 after POST") { _ = try await $0["other"].post(.text("12345")) },
            Exchange("challenge") { site in
                _ = try await site.with { $0.authorizers = [.digest(user: "u", password: "p")] }["private"].get()
            },
            Exchange("cached") { site in
                let cached = site.with { $0.cache = .memory(megabytes: 1) }
                for _ in 1...2 { _ = try await cached["cached"].get() }
            },
            Exchange("validated") { site in
                let cached = site.with { $0.cache = .memory(megabytes: 1) }
                for _ in 1...2 { _ = try await cached["tagged"].get() }
            },
        ]
    }

    private static var bodies: [Exchange] {
        [
            Exchange("gzip") { _ = try await $0["gzip"].get() },
            Exchange("chunks") { _ = try await $0["chunks"].get() },
            Exchange("stream") { for try await _ in try await $0["ok"].call(.get).stream() {} },
            Exchange("stream that is left") { for try await _ in try await $0["long"].call(.get).stream() { break } },
            Exchange("HTTP/1.0") { _ = try await $0["old-version"].get() },
            Exchange("body that breaks off") { _ = try await $0["cut"].get() },
            Exchange("resumed body") { site in
                let retrying = site.with { $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero)) }
                _ = try await retrying["resumable"].get()
            },
        ]
    }

    private static func failures(unused: String) -> [Exchange] {
        [
            Exchange("time-out") { site in
                _ = try await site.with { $0.timeout = .milliseconds(100) }["slow"].get()
            },
            Exchange("refused connection") { _ = try await $0.follow(unused).get() },
            Exchange("unknown host") { _ = try await $0.follow("http://name.invalid/").get() },
            Exchange("malformed response") { _ = try await $0["garbage"].get() },
            Exchange("closed connection") { _ = try await $0["close"].get() },
            Exchange("cancelled") { site in
                let call = site["slow"].call(.get).start()
                try await Task.sleep(for: .milliseconds(200))
                call.cancel()
                _ = try await call.value
            },
        ]
    }
}

extension InMemoryTracer {
    /// Waits, for a second at most, until the spans of dropped bodies have ended.
    fileprivate func waitForSpans() async {
        for _ in 0..<200 where !activeSpans.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
    }
}

/// The spans that an exporter would get, as JSON.
private enum Report {
    static func span(_ span: FinishedInMemorySpan) -> JSON {
        var attributes: JSON.Object = [:]
        span.attributes.forEach { name, value in attributes[name] = .string(text(of: value)) }
        return [
            "name": .string(span.operationName), "kind": .string("\(span.kind)"),
            "status": .string(span.status?.code == .error ? "ERROR" : "UNSET"),
            "description": .string(span.status?.message ?? ""), "attributes": .object(attributes),
        ]
    }

    static func timer(_ timer: TestTimer) -> JSON {
        var labels: JSON.Object = [:]
        for (name, value) in timer.dimensions { labels[name] = .string(value) }
        return .object(labels)
    }

    private static func text(of value: SpanAttribute) -> String {
        switch value {
        case .string(let text): text
        case .int32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .stringConvertible(let other): "\(other)"
        default: "\(value)"
        }
    }
}
