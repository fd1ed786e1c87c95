// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPRun
import HTTPTypes

/// The transport alone: no settings, hooks, redirects or decoding, but the same fields on the wire.
struct TransportClient: Client {
    let transport: NIOTransport
    let request: TransportRequest

    func run(_ workload: Workload) async throws -> Int {
        var request = request
        switch workload.kind {
        case .upload:
            let body = try fileBody(workload.file)
            request.method = .put
            request.body = .file(body)
            _ = try await read(transport.send(request))
            return Int(body.length)
        case .fresh:
            request.headers[.connection] = "close"
            return try await read(transport.send(request))
        case .save:
            let file = try OutputFile(workload.file ?? "/dev/null")
            return try await read(transport.send(request)) { try file.write($0) }
        case .get, .latency, .paced, .discard: return try await read(transport.send(request))
        }
    }

    private func read(
        _ response: TransportResponse,
        _ use: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) async throws -> Int {
        var count = 0
        while let chunk = try await response.body.next() {
            count += chunk.count
            try chunk.withUnsafeBytes(use)
        }
        guard response.head.status.kind == .successful else { throw UnexpectedStatus(status: response.head.status) }
        return count
    }
}
