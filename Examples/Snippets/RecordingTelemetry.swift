// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import CumulusTelemetry
import Metrics
import Tracing

func recordingTelemetry(_ site: Resource, _ tracer: any Tracer, _ factory: any MetricsFactory) async throws {
    // snippet.on
    site.setRules { $0.telemetry() }
    // snippet.end
    // snippet.backends
    site.setRules { $0.telemetry(tracer: tracer, metrics: factory) }
    // snippet.end
    // snippet.connections
    var configuration = NIOTransport.Configuration()
    configuration.onConnectionEvent = ConnectionTelemetry().observe
    let transport = NIOTransport(configuration: configuration)
    // snippet.end
    _ = transport
    // snippet.names
    _ = try await site["posts"].get()  // GET /posts
    _ = try await site.child(template: "posts/{id}", ["id": 7]).get()  // GET /posts/{id}
    _ = try await site["posts/\(7)"].get()  // GET
    // snippet.end
    // snippet.propagation
    let origins: Set = [
        Origin(scheme: .https, host: "api.example.com"), Origin(scheme: .https, host: "img.example.com"),
    ]
    site.setRules { $0.telemetry(propagation: .origins(origins)) }
    // snippet.end
}
