// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Uploads to third-party servers, byte for byte.
@Suite(.enabled(if: InteropServers.nginx != nil && InteropServers.apache != nil, "\(InteropServers.reason)"))
struct UploadTests {
    enum Server: String, CaseIterable, Sendable {
        case nginx
        case apache

        var url: String? { self == .nginx ? InteropServers.nginx : InteropServers.apache }
    }

    private func sample(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) })
    }

    private func withFile(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString).bin")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    @Test(arguments: Server.allCases, InteropTransport.allCases)
    func aFileComesBackAsItWas(server: Server, transport: InteropTransport) async throws {
        let bytes = sample(20_000_003)
        try await withFile(bytes) { file in
            let place = try transport.resource(server.url)["dav"]["\(UUID().uuidString).bin"]
            for isWatched in [false, true] {
                let last = Mutex<Int64>(0)
                let watch: @Sendable (TransferProgress) -> Void = { event in
                    if event.direction == .sending { last.withLock { $0 = event.completed } }
                }
                let watched = place.with { if isWatched { $0.observers.append(.progress(watch)) } }
                let response = try await watched.put(.file(file))
                #expect([201, 204].contains(response.status.code))
                #expect(last.withLock(\.self) == (isWatched ? 20_000_003 : 0))
                #expect(try await place.get().bytes.data == bytes)
            }
            #expect(try await place.delete().status == .noContent)
        }
    }

    @Test(arguments: Server.allCases) func aStreamWithoutALengthArrives(server: Server) async throws {
        let place = try InteropTransport.nio.resource(server.url)["dav"]["\(UUID().uuidString).bin"]
        let (chunks, feed) = AsyncStream.makeStream(of: Data.self)
        for start in 0..<50 { feed.yield(Data(repeating: UInt8(start), count: 70_001)) }
        feed.finish()
        let response = try await place.call(.put, .stream(chunks)).send()
        #expect(response.status == .created)
        #expect(try await place.get().bytes.count == 50 * 70_001)
    }

    @Test(arguments: InteropTransport.allCases) func httpbinGetsTheSameBytes(transport: InteropTransport) async throws {
        let bytes = sample(300_000)
        try await withFile(bytes) { file in
            let site = try transport.resource(InteropServers.httpbin)
            let echoed = try await site["put"].call(.put, .file(file), as: JSON.self).send()
            #expect(echoed["data"].string == "data:application/octet-stream;base64,\(bytes.base64EncodedString())")
            #expect(echoed["headers"]["Content-Length"].string == "300000")
        }
    }

    @Test func aRefusalThatComesEarlyIsTheResponse() async throws {
        try await withFile(Data(count: 50_000_000)) { file in
            let site = try InteropTransport.nio.resource(InteropServers.nginx)
            for watch in [nil, { _ in }] as [(@Sendable (TransferProgress) -> Void)?] {
                let watched = site["hello.txt"].with { if let watch { $0.observers.append(.progress(watch)) } }
                let response = try await watched.put(.file(file))
                #expect(response.status == .contentTooLarge)
            }
        }
    }

    @Test(.enabled(if: BuiltCommand.path != nil)) func theCommandUploadsAndDownloads() async throws {
        let bytes = sample(5_000_000)
        let url = "\(InteropServers.apache ?? "")/dav/\(UUID().uuidString).bin"
        try await withFile(bytes) { file in
            let sent = try BuiltCommand.run(["upload", file.path, url])
            #expect(sent.status == 0 && sent.errors.hasPrefix("cumulus: sent "), "\(sent.errors)")
            let copy = file.path + ".copy"
            defer { try? FileManager.default.removeItem(atPath: copy) }
            let got = try BuiltCommand.run(["download", "-o", copy, url])
            #expect(got.status == 0 && got.errors.hasPrefix("cumulus: got "), "\(got.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
            #expect(try BuiltCommand.run(["download", "-o", copy, url]).status == 14)
            #expect(try BuiltCommand.run(["download", "-c", "-o", copy, url]).status == 0)
        }
    }
}
