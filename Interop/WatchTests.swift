// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import GuideSnippets

/// etcd's watch: JSON values in a response without an end, by its gateway to gRPC.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: InteropServers.etcd != nil, "\(InteropServers.reason)"))
struct WatchTests {
    private struct Enough: Error {}

    private func put(_ value: String, in etcd: Resource) async throws {
        let pair: JSON = [
            "key": .string(Data("tea".utf8).base64EncodedString()),
            "value": .string(Data(value.utf8).base64EncodedString()),
        ]
        try await etcd["v3/kv/put"].post(body: pair).requireSuccess()
    }

    @Test(arguments: InteropTransport.allCases)
    func watchSurvivesARestart(transport: InteropTransport) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-etcd-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try RestartedServer(
            slot: 2,
            [
                try #require(InteropServers.etcd), "--data-dir", folder.path, "--log-level", "error",
                "--listen-client-urls", "http://127.0.0.1:PORT", "--advertise-client-urls", "http://127.0.0.1:PORT",
                "--listen-peer-urls", "http://127.0.0.1:0",
            ]
        )
        try await server.waitUntilReady(at: "health", over: transport)
        let etcd = Resource(server.url, transport: transport.transport)
        try await put("0", in: etcd)
        var values: [String] = []
        await #expect(throws: Enough.self) {
            try await followKey("tea", of: etcd) { value in
                values.append(value)
                if values.count == 6 { throw Enough() }
                if values.count == 3 {
                    server.kill()
                    try server.start()
                    try await server.waitUntilReady(at: "health", over: transport)
                }
                try await put("\(values.count)", in: etcd)
            }
        }
        #expect(values == (0..<6).map { "\($0)" })
    }
}
