// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPRun

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession as a client under measurement; `compare_http.py` calls it.
@main
struct URLSessionPeer: Client {
    let session: URLSession
    let url: URL

    static func main() async throws {
        guard let workload = Workload(CommandLine.arguments), let url = URL(string: workload.url) else {
            return print("KIND COUNT IN-FLIGHT URL")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = workload.connections
        configuration.urlCache = nil
        let peer = URLSessionPeer(session: URLSession(configuration: configuration), url: url)
        try await Task.detached { try await Runner.measure(peer, workload, version: "Swift 6.3.1") }.value
    }

    func run(_ workload: Workload) async throws -> Int {
        var request = URLRequest(url: url)
        switch workload.kind {
        case .get, .latency, .paced: break
        case .fresh: request.setValue("close", forHTTPHeaderField: "Connection")
        case .discard, .save, .upload: throw URLError(.unsupportedURL)
        }
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data.count
    }
}
