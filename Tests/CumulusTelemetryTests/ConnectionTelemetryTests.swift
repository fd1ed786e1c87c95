// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTelemetry
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Metrics
import MetricsTestKit
import TestSupport
import Testing

/// Open connections by their state, and how long they were open.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTelemetryTests {
    private func labels(_ server: LoopbackServer, _ version: String, state: String? = nil) -> [(String, String)] {
        [("server.address", "127.0.0.1"), ("server.port", "\(server.port)")]
            + (state.map { [("http.connection.state", $0)] } ?? [])
            + [("network.peer.address", "127.0.0.1"), ("network.protocol.version", version)]
    }

    @Test func connectionIsActiveDuringAnExchangeAndIdleAfterwards() async throws {
        let (metrics, gate) = (TestMetrics(), Gate())
        try await withLoopbackServer {
            $0.get("/") { _ in
                try await gate.wait()
                return .text("hello")
            }
        } _: { server in
            var configuration = NIOTransport.Configuration()
            configuration.onConnectionEvent = ConnectionTelemetry(metrics: metrics).observe
            let transport = NIOTransport(configuration: configuration)
            let call = Resource(server.url, transport: transport).call(.get).start()
            while gate.waiterCount == 0 { await Task.yield() }
            let name = "http.client.open_connections"
            #expect(try metrics.expectMeter(name, labels(server, "1.1", state: "active")).lastValue == 1)
            #expect(metrics.meters(label: name).count == 1)
            gate.open()
            _ = try await call.value
            // An exchange ends on the loop before its caller continues.
            #expect(try metrics.expectMeter(name, labels(server, "1.1", state: "active")).lastValue == 0)
            #expect(try metrics.expectMeter(name, labels(server, "1.1", state: "idle")).lastValue == 1)
            _ = try await Resource(server.url, transport: transport).get()
            #expect(try metrics.expectMeter(name, labels(server, "1.1", state: "idle")).values == [1, 0, 1])
            await transport.shutdown()
            try await eventually { !metrics.timers(label: "http.client.connection.duration").isEmpty }
            #expect(try metrics.expectMeter(name, labels(server, "1.1", state: "idle")).lastValue == 0)
            let duration = try metrics.expectTimer("http.client.connection.duration", labels(server, "1.1"))
            #expect(duration.values.count == 1 && duration.displayUnit == .seconds)
        }
    }

    @Test func connectionOfHTTP2IsActiveWhileItHasStreams() async throws {
        let metrics = TestMetrics()
        var settings = LoopbackServer.Configuration()
        settings.http2 = .always
        try await withLoopbackServer(configuration: settings) {
            $0.get("/") { _ in .text("hello") }
        } _: { server in
            var configuration = NIOTransport.Configuration()
            configuration.onConnectionEvent = ConnectionTelemetry(metrics: metrics).observe
            let transport = NIOTransport(configuration: configuration)
            let site = Resource(server.url, transport: transport)
            site.setRules { $0.httpVersion = .http2 }
            for _ in 1...3 { #expect(try await site.get().text == "hello") }
            await transport.shutdown()
            try await eventually { !metrics.timers(label: "http.client.connection.duration").isEmpty }
            let name = "http.client.open_connections"
            #expect(try metrics.expectMeter(name, labels(server, "2", state: "active")).lastValue == 0)
            #expect(try metrics.expectMeter(name, labels(server, "2", state: "idle")).lastValue == 0)
            let durations = metrics.timers(label: "http.client.connection.duration")
            #expect(durations.map(\.values.count) == [1])
        }
    }
}
