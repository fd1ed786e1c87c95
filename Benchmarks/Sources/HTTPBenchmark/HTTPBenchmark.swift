// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPRun
import HTTPTypes

/// Cumulus as a client under measurement; `compare_http.py` calls it.
@main
struct HTTPBenchmark {
    static func main() async throws {
        guard let workload = Workload(CommandLine.arguments), let url = try? RequestURL(workload.url) else {
            print(
                "HTTPBenchmark KIND COUNT IN-FLIGHT URL FILE ROOTS pipeline-caller|pipeline-loop|transport-caller|transport-loop"
            )
            return
        }
        var configuration = NIOTransport.Configuration()
        if workload.connections > configuration.maximumIdleConnections {
            configuration.maximumConnectionsPerOrigin = workload.connections
            configuration.maximumIdleConnections = workload.connections
        }
        if let roots = workload.roots { configuration.tls.trustRoots = .files([roots]) }
        let transport = NIOTransport(configuration: configuration)
        if workload.mode.hasPrefix("transport") {
            let fields: HTTPFields = [.userAgent: "Cumulus/0.1", .acceptEncoding: "gzip, deflate"]
            let request = TransportRequest(origin: url.origin, target: url.target, headers: fields)
            try await measure(TransportClient(transport: transport, request: request), workload, transport)
        } else {
            let resource = Resource(workload.url, transport: transport)
            try await measure(PipelineClient(resource: resource), workload, transport)
        }
        await transport.shutdown(.immediate)
    }

    /// Runs where ordinary callers do, on the global pool, or on the transport's executor.
    private static func measure(_ client: some Client, _ workload: Workload, _ transport: NIOTransport) async throws {
        let work = { @Sendable in try await Runner.measure(client, workload, version: "") }
        if workload.mode.hasSuffix("loop") {
            try await Task.detached(executorPreference: transport.executor) { try await work() }.value
        } else {
            // Not with the preference `nil`, which programs don't have: the runtime would look for it at each switch.
            try await Task.detached { try await work() }.value
        }
    }
}
