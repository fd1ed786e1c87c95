// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRun
import NIOCore
import NIOPosix
import NIOSSL

/// AsyncHTTPClient as a client under measurement; `compare_http.py` calls it.
@main
struct AsyncHTTPClientPeer: Client {
    let client: HTTPClient

    static func main() async throws {
        guard let workload = Workload(CommandLine.arguments) else {
            return print("KIND COUNT IN-FLIGHT URL FILE ROOTS")
        }
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = workload.connections
        if let roots = workload.roots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(roots)
            configuration.tlsConfiguration = tls
        }
        if !workload.mode.contains("h2") { configuration.httpVersion = .http1Only }
        let peer = AsyncHTTPClientPeer(
            client: HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        )
        try await Task.detached { try await Runner.measure(peer, workload, version: "1.37.0") }.value
        try await peer.client.shutdown()
    }

    func run(_ workload: Workload) async throws -> Int {
        var request = HTTPClientRequest(url: workload.url)
        switch workload.kind {
        case .get, .latency, .paced, .discard:
            return try await read(client.execute(request, timeout: .seconds(120)))
        case .fresh:
            request.headers.add(name: "connection", value: "close")
            return try await read(client.execute(request, timeout: .seconds(120)))
        case .save:
            let file = try OutputFile(workload.file ?? "/dev/null")
            return try await read(client.execute(request, timeout: .seconds(120))) { try file.write($0) }
        case .upload:
            let pieces = FilePieces(path: workload.file ?? "")
            let length = try pieces.length()
            request.method = .PUT
            request.body = .stream(pieces, length: .known(length))
            _ = try await read(client.execute(request, timeout: .seconds(120)))
            return Int(length)
        }
    }

    private func read(
        _ response: HTTPClientResponse,
        _ use: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) async throws -> Int {
        var count = 0
        for try await buffer in response.body {
            count += buffer.readableBytes
            try buffer.withUnsafeReadableBytes(use)
        }
        guard (200..<300).contains(response.status.code) else { throw HTTPClientError.cancelled }
        return count
    }
}
