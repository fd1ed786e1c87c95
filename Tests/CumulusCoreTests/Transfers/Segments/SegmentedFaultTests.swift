// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Servers that break off, lie about ranges, or change the file during a download over several connections.
@Suite(.timeLimit(.minutes(10))) struct SegmentedFaultTests {
    private let bytes = RangeServer.bytes(60_000)

    private func download(
        _ server: RangeServer,
        _ folder: TemporaryFolder,
        connections: Int = 4
    ) async throws -> [UInt8] {
        var options = DownloadOptions()
        options.connections = connections
        let file = try await server.resource().download(to: .file("\(folder.path)/data"), options: options)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["data"])
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.path)))
    }

    /// Holds each connection, after its first piece, until this many have been requested.
    private func hold(_ server: RangeServer, until count: Int)
        -> @Sendable (StubRequest, [[UInt8]]) -> [StubResponse.Step]
    {
        { [weak server] request, pieces in
            guard request.number == 1, pieces.count > 1 else { return pieces.map { .chunk($0) } }
            let gate = Gate()
            Task {
                try await eventually { (server?.requests.count ?? count) >= count }; gate.open()
            }
            return [.chunk(pieces[0]), .gate(gate)] + pieces.dropFirst().map { .chunk($0) }
        }
    }

    @Test func aSegmentThatBreaksOffIsGoneOnWith() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        server.change { state in
            state.steps = { [weak server] request, pieces in
                if request.number == 3, pieces.count > 4 {
                    return pieces.prefix(3).map { .chunk($0) } + [.fail(TransportFailure(.connectionClosed, "reset"))]
                }
                guard request.number == 1 else { return pieces.map { .chunk($0) } }
                // The first response would otherwise continue over the segment.
                let gate = Gate()
                Task {
                    defer { gate.open() }
                    try await eventually { server?.hasContinuedThirdRequest ?? true }
                }
                return [.chunk(pieces[0]), .gate(gate)] + pieces.dropFirst().map { .chunk($0) }
            }
        }
        #expect(try await download(server, folder) == bytes)
        #expect(server.hasContinuedThirdRequest)
    }

    @Test("the first stream continues over connections that never deliver a byte", arguments: [true, false])
    func silentConnections(hasHead: Bool) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let (usual, never) = (hold(server, until: 2), Gate())
        server.change { state in
            state.steps = { request, pieces in
                request.number == 1 ? usual(request, pieces) : [.gate(never)] + pieces.map { .chunk($0) }
            }
            state.special = { request, now in
                guard request.number > 1, !hasHead else { return nil }
                var silent = RangeServer.usual(request, now)
                // Cancelled when the first stream ends.
                silent.delay = .seconds(1_000_000)
                return silent
            }
        }
        #expect(try await download(server, folder) == bytes)
        #expect(server.ranges.count { $0 == nil } == 1)
        #expect(server.ranges.count > 1)
    }

    @Test func theFirstStreamContinuesAloneIfOtherServersHaveOtherTags() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let usual = hold(server, until: 2)
        server.change { state in
            state.steps = usual
            state.special = { request, now in
                guard request.number > 1 else { return nil }
                var node = now
                node.tag = "\"node \(request.number)\""
                return RangeServer.usual(request, node)
            }
        }
        #expect(try await download(server, folder) == bytes)
        #expect(server.ranges.count { $0 == nil } == 1, "nothing is restarted")
        #expect(server.ranges.count > 1)
    }

    @Test(arguments: [429, 503, 500, 403])
    func aServerThatRefusesMoreConnectionsServesTheFileOverOne(status: Int) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let busy = Mutex(0)
        let usual = hold(server, until: 4)
        server.change { state in
            state.steps = usual
            state.special = { request, _ in
                guard request.number > 1,
                    busy.withLock({
                        $0 += 1; return $0 <= 3
                    })
                else { return nil }
                return .text("too many", status: .init(code: status))
            }
        }
        #expect(try await download(server, folder) == bytes)
    }

    @Test("a server that answers 200 to ranges sends the file in one stream")
    func wholeForRange() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let usual = hold(server, until: 4)
        server.change { state in
            state.steps = usual
            state.special = { request, now in
                guard request.headers[.range] != nil else { return nil }
                var whole = request
                whole.request.headers[.range] = nil
                return RangeServer.usual(whole, now)
            }
        }
        #expect(try await download(server, folder) == bytes)
    }

    @Test(
        "a forged part never gets into the file",
        arguments: [
            "other start", "other total", "other tag", "longer", "shorter", "no Content-Range", "several parts",
            "coded",
        ]
    )
    func forgedPart(kind: String) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let usual = hold(server, until: 4)
        server.change { state in
            state.steps = usual
            state.special = { request, now in
                // Only every second part is forged, and after the tenth request none.
                guard request.headers[.range] != nil, request.number % 2 == 0, request.number < 10 else { return nil }
                return RangeServer.forged(kind, request, now)
            }
        }
        #expect(try await download(server, folder) == bytes)
    }

    @Test("a file that changes during a download is never mixed", arguments: [true, false], [2, 3, 5])
    func changedFile(sameLength: Bool, at number: Int) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let other = RangeServer.bytes(sameLength ? 60_000 : 50_000, seed: 2)
        let usual = hold(server, until: 3)
        server.change { state in
            state.steps = usual
            state.special = { [weak server] request, _ in
                if request.number == number {
                    server?.change { state in
                        state.bytes = other
                        state.tag = "\"two\""
                    }
                    return server.map { RangeServer.usual(request, $0.state.withLock(\.self)) }
                }
                return nil
            }
        }
        let received = try await download(server, folder)
        // Whether a fifth connection is opened depends on how far the others are by then.
        let isChanged = server.requests.count >= number
        #expect(isChanged || number == 5)
        // The first response, if it is still running, delivers the earlier file to its end.
        #expect(received == bytes || (isChanged && received == other))
    }

    @Test("a file that changes with each request is an error, and nothing is left")
    func everChangingFile() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        server.change { state in
            state.steps = { request, pieces in
                guard request.headers[.range] == nil else { return pieces.map { .chunk($0) } }
                return [.chunk(pieces[0]), .fail(TransportFailure(.connectionClosed, "reset"))]
            }
            state.special = { request, now in
                var (unconditional, changed) = (request, now)
                changed.tag = "\"\(request.number)\""
                // The server ignores `If-Range`.
                unconditional.request.headers[.ifRange] = nil
                return RangeServer.usual(unconditional, changed)
            }
        }
        let failure = await #expect(throws: CumulusError.self) { try await download(server, folder) }
        // The restarts are limited, and so are the attempts to resume.
        #expect(failure?.code == .remoteChanged || failure?.code == .incomplete)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func allConnectionsBreakingOffIsAnErrorAfterAFewTries() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        server.change { state in
            state.steps = { _, pieces in [.chunk(pieces[0]), .fail(TransportFailure(.connectionClosed, "reset"))] }
        }
        let failure = await #expect(throws: CumulusError.self) { try await download(server, folder) }
        #expect(failure?.code == .incomplete)
        #expect(server.requests.count < 40)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}

extension RangeServer {
    /// Whether the bytes after the first three pieces of the third response have been requested.
    fileprivate var hasContinuedThirdRequest: Bool {
        let broken = requests.first { $0.number == 3 }?.headers[.range] ?? ""
        guard let start = Int(broken.dropFirst("bytes=".count).prefix { $0 != "-" }) else { return false }
        return ranges.contains { $0?.hasPrefix("bytes=\(start + 3000)-") == true }
    }

    /// A part that is not what it claims, or not the requested one.
    fileprivate static func forged(_ kind: String, _ request: StubRequest, _ now: State) -> StubResponse? {
        guard let field = request.headers[.range]?.dropFirst("bytes=".count) else { return nil }
        let ends = field.split(separator: "-").compactMap { Int($0) }
        guard let start = ends.first else { return nil }
        var end = (ends.count > 1 ? ends[1] : now.bytes.count - 1) + 1
        var headers: Headers = [.acceptRanges: "bytes", .eTag: now.tag]
        var (shown, total, length) = (start, now.bytes.count, end - start)
        switch kind {
        case "other start": shown += 10
        case "other total": total += 1
        case "other tag": headers[.eTag] = "\"forged\""
        case "longer": length += 100
        case "shorter": length -= 100
        case "coded": headers[.contentEncoding] = "gzip"
        case "several parts": headers[.contentType] = "multipart/byteranges; boundary=x"
        default: break
        }
        if kind == "other start" { end = min(total, end + 10) }
        if kind != "no Content-Range" { headers[.contentRange] = "bytes \(shown)-\(end - 1)/\(total)" }
        return .response(
            .partialContent,
            headers: headers,
            body: [UInt8](repeating: 0xEE, count: max(1, length))
        )
    }
}
