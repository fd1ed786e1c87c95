// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Downloads over several connections at once.
@Suite struct SegmentedDownloadTests {
    private let bytes = RangeServer.bytes(100_000)

    private func options(_ connections: Int?) -> DownloadOptions {
        var options = DownloadOptions()
        options.connections = connections
        return options
    }

    private func contents(_ file: DownloadedFile) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.path)))
    }

    /// Holds the first body, after its first piece, until the others have been requested.
    private func holdFirst(of server: RangeServer, until count: Int) {
        server.change { state in
            state.steps = { [weak server] request, pieces in
                guard request.number == 1 else { return pieces.map { .chunk($0) } }
                let gate = Gate()
                Task {
                    try await eventually { (server?.requests.count ?? count) >= count }; gate.open()
                }
                return [.chunk(pieces[0]), .gate(gate)] + pieces.dropFirst().map { .chunk($0) }
            }
        }
    }

    @Test func aGivenNumberOfConnectionsShareTheFileAtOnce() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        holdFirst(of: server, until: 4)
        let resource = server.resource()
        let file = try await resource.download(to: .file("\(folder.path)/data"), options: options(4))
        #expect(try contents(file) == bytes)
        #expect(server.requests[0].headers[.range] == nil, "the first is a plain GET")
        #expect(
            Set(server.ranges.compactMap(\.self).prefix(3)) == [
                "bytes=25000-49999", "bytes=50000-74999", "bytes=75000-99999",
            ]
        )
        #expect(server.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"one\"" && $0.method == .get })
    }

    @Test func progressAndBytesAreOfTheWhole() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        holdFirst(of: server, until: 3)
        let events = Mutex<[TransferProgress]>([])
        let file = try await server.resource().download(
            to: .file("\(folder.path)/data"),
            options: options(3),
            onProgress: { event in events.withLock { $0.append(event) } }
        )
        #expect(file.byteCount == 100_000)
        let all = events.withLock(\.self)
        #expect(all.first?.completed == 0)
        #expect(all.last?.completed == 100_000)
        #expect(all.last?.isFinished == true)
        #expect(all.allSatisfy { $0.total == 100_000 })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        #expect(all.filter { $0.step == 0 && $0.completed == 0 }.count == 1, "one transfer, not one a connection")
    }

    @Test func anotherConnectionComesWhenAWindowHasPassed() async throws {
        let (server, folder, clock) = (RangeServer(bytes), try TemporaryFolder(), ManualClock())
        server.change { state in
            state.steps = { _, pieces in pieces.flatMap { [.pause(.milliseconds(50)), .chunk($0)] } }
        }
        let resource = server.resource()
        resource.setRules { $0.clock = clock }
        let download = Task { try await resource.download(to: .file("\(folder.path)/data")) }
        var course: [Int] = []
        while course.count < 200, server.requests.count < 3 {
            try await clock.waitForSleepers()
            course.append(server.requests.count)
            clock.advanceToNextSleeper()
        }
        #expect(course.first == 1)
        #expect(server.requests.count == 3)
        #expect(server.requests.first?.headers[.range] == nil)
        try await clock.drive(until: download)
        #expect(try await contents(download.value) == bytes)
    }

    @Test(arguments: [("connections", 1), ("setting", 1), ("small", 6), ("no tag", 6), ("no ranges", 6)])
    func oneStreamWhereMoreAreNotWantedOrNotSafe(reason: String, most: Int) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let resource = server.resource(chunkSize: reason == "small" ? 60_000 : 4000)
        resource.setRules { $0.chunks.maxConcurrent = most }
        if reason == "no tag" { server.change { $0.tag = "W/\"weak\"" } }
        if reason == "no ranges" {
            server.change { state in
                state.special = { _, now in
                    .response(headers: [.eTag: now.tag, .contentLength: "100000"], body: now.bytes)
                }
            }
        }
        let wanted = options(reason == "connections" ? 1 : reason == "setting" ? nil : 4)
        let file = try await resource.download(to: .file("\(folder.path)/data"), options: wanted)
        #expect(try contents(file) == bytes)
        #expect(server.ranges == [nil])
    }

    @Test func theSettingsAreInherited() {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched)
        let child = site["child"]
        #expect(child.chunks.maxConcurrent == 6)
        #expect(child.chunks.size == 4 << 20)
        site.setRules {
            $0.chunks.maxConcurrent = 3
            $0.chunks.size = 1 << 20
        }
        #expect(child.chunks.maxConcurrent == 3)
        #expect(child.chunks.size == 1 << 20)
        child.setRules { $0.chunks.maxConcurrent = 2 }
        #expect((site.chunks.maxConcurrent, child.chunks.maxConcurrent) == (3, 2))
    }

    @Test(.timeLimit(.minutes(10))) func aLimitOfOneRequestIsNeverWaitedForByTheDownloadItself() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let transport = CountingTransport { server.answer($0) }
        let resource = Resource("http://files.example", transport: transport.watched)["data.bin"]
        resource.setRules {
            $0.chunks.size = 4000
            $0.maxConcurrentRequests = 1
        }
        let file = try await resource.download(to: .file("\(folder.path)/data"), options: options(4))
        #expect(try contents(file) == bytes)
        #expect(transport.most == 1)
    }

    /// Counts the exchanges between request and head.
    private final class CountingTransport: Transport {
        private let stub: StubTransport
        private let counts = Mutex((now: 0, most: 0))

        init(_ answer: @escaping @Sendable (StubRequest) -> StubResponse) { stub = StubTransport { answer($0) } }

        var capabilities: TransportCapabilities { stub.capabilities }
        var most: Int { counts.withLock(\.most) }

        func identity(at origin: Origin) -> TransportIdentity { stub.identity(at: origin) }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            defer { counts.withLock { $0.now -= 1 } }
            // Additional admitted requests must be visible.
            await Task.yield()
            return try await stub.send(request)
        }
    }

    @Test func cancellingEndsAllConnectionsAndKeepsWhatIsThere() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let gate = Gate()
        server.change { state in
            state.steps = { _, pieces in [.chunk(pieces[0]), .chunk(pieces[1]), .gate(gate)] }
        }
        let transport = StubTransport { server.answer($0) }
        let site = Resource("http://files.example", transport: transport.watched) { $0.chunks.size = 4000 }
        var options = options(4)
        options.resume = true
        let (wanted, path) = (options, "\(folder.path)/data")
        let download = Task { try await site["data.bin"].download(to: .file(path), options: wanted) }
        try await eventually { gate.waiterCount == 4 }
        #expect(site.runningCalls.count == 1, "one download is one request")
        site.cancelAll()
        await #expect(throws: CancellationError.self) { try await download.value }
        #expect(transport.cancelledBodies == 4)
        #expect(gate.waiterCount == 0)
        let record = try #require(DownloadRecord(at: DownloadTarget.part(of: FilePath(path)).appending(".json")))
        #expect(record.done.count == 4)
        #expect(record.ranges.count == 8000)

        server.change { $0.steps = nil }
        let before = server.requests.count
        let file = try await site["data.bin"].download(to: .file(path), options: wanted)
        #expect(try contents(file) == bytes)
        #expect(file.resumedByteCount == 8000)
        let asked = server.requests.dropFirst(before)
        #expect(asked.allSatisfy { $0.headers[.ifRange] == "\"one\"" })
        #expect(asked.first?.headers[.range] == "bytes=2000-")
    }

    @Test func aDigestIsOfTheWholeWhateverTheOrder() async throws {
        for connections in [1, 3] {
            let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
            holdFirst(of: server, until: connections)
            var options = options(connections)
            var digest = RunningDigest([.sha256])
            bytes.withUnsafeBytes { digest.update($0) }
            let right = try #require(digest.checksum(.sha256))
            options.checksum = right
            let file = try await server.resource().download(to: .file("\(folder.path)/data"), options: options)
            #expect(file.verifiedChecksums == [right])
            options.checksum = try Checksum(.sha256, [UInt8](repeating: 7, count: 32))
            let failure = await #expect(throws: CumulusError.self) {
                try await server.resource().download(to: .file("\(folder.path)/other"), options: options)
            }
            #expect(failure?.code == .checksum)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["data"])
        }
    }
}
