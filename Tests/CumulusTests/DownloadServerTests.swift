// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Downloads from a real server that is slow, rude and wrong.
@Suite(.timeLimit(.minutes(10))) struct DownloadServerTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private static let whole: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]

    /// A folder that is deleted with the test.
    private final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "cumulus-" + UUID().uuidString

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var file: String { path + "/data.bin" }
        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
        var part: [UInt8]? {
            names.first { $0.hasPrefix(".data.bin.") && $0.hasSuffix(".part") }
                .flatMap { FileManager.default.contents(atPath: "\(path)/\($0)") }.map { [UInt8]($0) }
        }
        var bytes: [UInt8]? { FileManager.default.contents(atPath: file).map { [UInt8]($0) } }
    }

    /// The rest of the content, as sent by a server that supports ranges.
    private static func rest(_ request: ServerRequest) -> ServerResponse {
        guard let range = request.headers[.range], let start = Int(range.dropFirst(6).prefix { $0 != "-" }) else {
            return ServerResponse(headers: whole, body: content)
        }
        var headers = whole
        headers[.contentRange] = "bytes \(start)-\(content.count - 1)/\(content.count)"
        return ServerResponse(.partialContent, headers: headers, body: Array(content[start...]))
    }

    /// Downloads from a server whose first response is given, and whose others are correct.
    private func download(
        _ first: ServerResponse,
        _ options: DownloadOptions = DownloadOptions(),
        clock: any RequestClock = SystemClock(),
        check: (Int64, Folder, [HTTPFields]) -> Void,
        meanwhile act: @escaping @Sendable (Folder) async throws -> Void = { _ in }
    ) async throws {
        let folder = try Folder()
        let seen = Mutex<[HTTPFields]>([])
        try await withLoopbackServer { routes in
            routes.get("/data.bin") { request in
                let count = seen.withLock { seen in
                    seen.append(request.headers)
                    return seen.count
                }
                return count == 1 ? first : DownloadServerTests.rest(request)
            }
        } _: { server in
            let site = Resource(server.url) {
                $0.timeout = .seconds(300)
                $0.clock = clock
            }
            async let acted: Void = act(folder)
            let file = try await site["data.bin"].download(to: .file(folder.file), options: options)
            try await acted
            check(file.byteCount, folder, seen.withLock(\.self))
        }
    }

    private func isMended(_ count: Int64, _ folder: Folder, _ seen: [HTTPFields]) {
        #expect(count == 300_000)
        #expect(folder.bytes == DownloadServerTests.content)
        #expect(folder.names == ["data.bin"])
        #expect(seen.count == 2)
        #expect(seen.last?[.ifRange] == "\"v1\"")
    }

    @Test("a truncated or reset body is resumed", arguments: [false, true])
    func cutOff(byReset: Bool) async throws {
        let begun = Array(DownloadServerTests.content[..<100_000])
        let first = ServerResponse.script(
            [.chunk(begun), byReset ? .reset : .close],
            headers: DownloadServerTests.whole,
            framing: .contentLength(300_000)
        )
        try await download(first, check: isMended)
    }

    @Test("another success is not the rest of a file, and what is there stays", arguments: [202, 204, 205, 207, 299])
    func otherSuccess(code: Int) async throws {
        let begun = Array(DownloadServerTests.content[..<100_000])
        let first = ServerResponse.script(
            [.chunk(begun), .close],
            headers: DownloadServerTests.whole,
            framing: .contentLength(300_000)
        )
        let folder = try Folder()
        let options = DownloadOptions(keepsPartial: true)
        try await withLoopbackServer { routes in
            routes.get("/data.bin") { request in
                guard request.headers[.range] != nil else { return first }
                let body = code == 204 || code == 205 ? [] : Array("try later".utf8)
                return ServerResponse(.init(code: code), headers: DownloadServerTests.whole, body: body)
            }
        } _: { server in
            let error = await #expect(throws: CumulusError.self) {
                try await Resource(server.url)["data.bin"].download(to: .file(folder.file), options: options)
            }
            #expect(error?.code == .status)
            #expect(error?.message.contains("\(code)") == true)
            #expect(error?.message.hasSuffix("to a request for the remaining bytes") == true)
        }
        #expect(folder.bytes == nil)
        #expect(folder.part?.starts(with: begun) == true)
    }

    @Test("a server that falls silent is asked again")
    func silent() async throws {
        let begun = Array(DownloadServerTests.content[..<100_000])
        let first = ServerResponse.script(
            [.chunk(begun), .hold],
            headers: DownloadServerTests.whole,
            framing: .contentLength(300_000)
        )
        // Time stands still unless the test advances it: a busy machine is not silence.
        let clock = SilenceClock()
        try await download(first, clock: clock, check: isMended) { folder in
            // The bytes themselves, since the file has its full length before they arrive.
            while folder.part?.starts(with: begun) != true { try await Task.sleep(for: .milliseconds(1)) }
            // Repeatedly, since the silence begins when the last bytes are taken, which isn't reported.
            while clock.pass(.seconds(301)) { try await Task.sleep(for: .milliseconds(100)) }
        }
    }

    /// A clock that a test advances until the first pause before another attempt, and never afterwards: the response to
    /// that attempt can't be late.
    private final class SilenceClock: RequestClock {
        private let state = Mutex((now: ContinuousClock.now, hasPaused: false))

        var now: ContinuousClock.Instant { state.withLock(\.now) }

        /// Advances the clock; false, without advancing, if there was a pause.
        func pass(_ time: Duration) -> Bool {
            state.withLock { state in
                if !state.hasPaused { state.now += time }
                return !state.hasPaused
            }
        }

        func sleep(until instant: ContinuousClock.Instant) async throws {
            state.withLock { $0 = (max($0.now, instant), true) }
        }
    }

    @Test("a body that is shorter than its Content-Length is not a file")
    func tooLong() async throws {
        let first = ServerResponse.script(
            [.chunk(DownloadServerTests.content), .close],
            headers: DownloadServerTests.whole,
            framing: .contentLength(300_001)
        )
        try await download(first) { count, folder, _ in
            // The next response has another length: the file is downloaded again.
            #expect(count == 300_000)
            #expect(folder.bytes == DownloadServerTests.content)
        }
    }

    @Test("A chunked body arrives, complete with its last chunk")
    func chunked() async throws {
        let pieces = stride(from: 0, to: 300_000, by: 50_000).map { start in
            ServerResponse.Step.chunk(Array(DownloadServerTests.content[start..<start + 50_000]))
        }
        try await download(.script(pieces, framing: .chunked)) { count, folder, seen in
            #expect(count == 300_000)
            #expect(folder.bytes == DownloadServerTests.content)
            #expect(seen.count == 1)
        }
    }

    @Test("A truncated chunked body without a tag starts over")
    func chunkedCutOff() async throws {
        let first = ServerResponse.script(
            [.chunk(Array(DownloadServerTests.content[..<100_000])), .close],
            framing: .chunked
        )
        try await download(first) { count, folder, seen in
            #expect(count == 300_000)
            #expect(folder.bytes == DownloadServerTests.content)
            #expect(seen.last?[.range] == nil)
        }
    }

    @Test("A file of 64 MB arrives, with the server's modification time")
    func large() async throws {
        let folder = try Folder()
        let piece = [UInt8](repeating: 0x5A, count: 1 << 20)
        try await withLoopbackServer { routes in
            routes.get("/big") { _ in
                .stream(headers: [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]) { writer in
                    for _ in 0..<64 { try await writer.write(piece) }
                }
            }
        } _: { server in
            var options = DownloadOptions()
            options.setsModificationTime = true
            let file = try await Resource(server.url)["big"].download(to: .file(folder.file), options: options)
            #expect(file.byteCount == 64 << 20)
            let facts = try FileManager.default.attributesOfItem(atPath: folder.file)
            #expect((facts[.size] as? NSNumber)?.int64Value == 64 << 20)
            #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 784_111_777)
        }
    }
}
