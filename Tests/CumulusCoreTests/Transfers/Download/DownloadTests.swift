// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Downloads to a file, to a directory and to a temporary file.
@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    @Test func aFileArrivesWholeAndAlone() async throws {
        let bench = try DownloadBench()
        let file = try await bench.download()
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
        #expect(file.path == bench.path)
        #expect(file.byteCount == 100_000)
        #expect(file.resumedByteCount == 0)
        #expect(file.response?.status == .ok)
        #expect(file.response?.facts.bytesReceived == 100_000)
        #expect(file.contentRange == nil)
        #expect(bench.remote.seen.first?[.acceptEncoding] == "identity")
        #expect(bench.remote.seen.first?[.range] == nil)
    }

    @Test(arguments: [0, 1, 9_999, 10_000, 10_001]) func eachLengthArrives(count: Int) async throws {
        let bench = try DownloadBench(RemoteFile(count: count))
        #expect(try await bench.download().byteCount == Int64(count))
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test func aLengthThatIsNotToldIsNoObstacle() async throws {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.twists = [{ _, _ in .script(RemoteFile.steps(RemoteFile.content(30_000))) }]
        }
        #expect(try await bench.download().byteCount == 30_000)
        #expect(bench.bytes() == RemoteFile.content(30_000))
    }

    // MARK: What is there already

    @Test func anExistingFileIsKeptAndNothingIsSent() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("mine", to: "data.bin")
        let error = try await bench.failure()
        #expect(error.code == .fileExists)
        #expect(bench.bytes() == Array("mine".utf8))
        #expect(bench.remote.seen.isEmpty)
        let skipped = try await bench.download(DownloadOptions(existing: .skip))
        #expect(skipped.byteCount == 4)
        #expect(skipped.response == nil)
        #expect(bench.remote.seen.isEmpty)
    }

    @Test func anExistingFileIsReplacedWhereThatIsWanted() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("mine", to: "data.bin")
        _ = try await bench.download(DownloadOptions(existing: .replace))
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test func bothFilesAreKeptWhereThatIsWanted() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("mine", to: "data.bin")
        let one = try await bench.download(DownloadOptions(existing: .keepBoth))
        let two = try await bench.download(DownloadOptions(existing: .keepBoth))
        #expect(one.path == bench.folder.path + "/data-1.bin")
        #expect(two.path == bench.folder.path + "/data-2.bin")
        #expect(bench.names == ["data-1.bin", "data-2.bin", "data.bin"])
    }

    @Test("A file that appears in the meantime is not overwritten")
    func aRace() async throws {
        let bench = try DownloadBench()
        let folder = bench.folder
        bench.remote.change { state in
            state.twists = [
                { _, answer in
                    _ = try? folder.write("mine", to: "data.bin")
                    return answer
                }
            ]
        }
        let error = try await bench.failure()
        #expect(error.code == .fileExists)
        #expect(bench.bytes() == Array("mine".utf8))
        #expect(bench.names == ["data.bin"])
    }

    // MARK: Names

    @Test(
        "in a directory the server names the file, else the requested URL does",
        arguments: [
            ("attachment; filename=\"report.pdf\"", "data.bin", "report.pdf"),
            ("attachment; filename=\"../../evil\"", "data.bin", "evil"),
            ("attachment; filename=\"..\"", "data.bin", "data.bin"),
            (nil, "data.bin", "data.bin"), (nil, "a%2Fb.txt", "b.txt"), (nil, "%2e%2e%2fx.txt", "x.txt"),
            (nil, "list", "list"), (nil, "", "download"),
            ("attachment; filename*=UTF-8''%2F%E2%80%8D..%2F%E2%80%8Dx", "data.bin", "x"),
            ("attachment; filename*=UTF-8''%2F%E2%80%8D..%2F%E2%80%8D..%2F%CC%81..", "data.bin", "data.bin"),
            ("attachment; filename=\"/\u{200D}../\u{200D}../\u{FE0F}x\"", "data.bin", "x"),
            ("attachment; filename*=UTF-8''.%CC%81bashrc", "data.bin", "bashrc"),
            (nil, "%2F%E2%80%8D..%2F%E2%80%8Dx", "x"), (nil, ".%CC%81bashrc", "bashrc"),
        ] as [(String?, String, String)]
    )
    func named(field: String?, segment: String, expected: String) async throws {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.extra["Content-Disposition"] = field
        }
        let resource = Resource("http://a.example/files/\(segment)", transport: bench.transport.watched)
        let file = try await resource.download(to: .directory(bench.folder.path))
        #expect(file.path == "\(bench.folder.path)/\(expected)")
        #expect(bench.names == [expected])
    }

    @Test("a redirect doesn't choose the name")
    func redirected() async throws {
        let bench = try DownloadBench()
        let remote = bench.remote
        let transport = StubTransport { routes in
            routes.on(.get, "/start.txt", .response(.found, headers: [.location: "/evil.sh"]))
            routes.on(.get, "/evil.sh") { request in remote.answer(request) }
        }
        let file = try await Resource("http://a.example/start.txt", transport: transport.watched)
            .download(to: .directory(bench.folder.path))
        #expect(file.path == bench.folder.path + "/start.txt")
        #expect(file.response?.history.count == 1)
    }

    @Test func aNameWithoutExtensionGetsThatOfItsType() async throws {
        let folder = try TemporaryFolder()
        let transport = StubTransport { _ in .json("{}") }
        let file = try await Resource("http://a.example/list", transport: transport.watched)
            .download(to: .directory(folder.path))
        #expect(file.path == folder.path + "/list.json")
    }

    // MARK: Temporary files

    @Test("a temporary file lives as long as its owner, or moves out")
    func temporary() async throws {
        let bench = try DownloadBench()
        var file: DownloadedFile? = try await bench.resource.download(to: .temporary)
        let path = try #require(file?.path)
        #expect(path.hasPrefix(bench.folder.path + "/caches/"))
        #expect(file?.isTemporary == true)
        #expect(bench.bytes(path) == bench.remote.bytes)
        file = nil
        // The task that downloaded it may release it slightly later.
        try await eventually { !bench.exists(path) }

        var second: DownloadedFile? = try await bench.resource.download(to: .temporary)
        let moved = try #require(second).move(to: bench.path)
        second = nil
        #expect(!moved.isTemporary)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("a temporary file is deleted with its last reference, whatever ran the request", arguments: 0..<5)
    func gone(way: Int) async throws {
        let bench = try DownloadBench()
        if way == 1 { bench.site.setRules { $0.validators = [{ _ in }] } }
        if way == 2 { bench.site.setRules { $0.interceptors = [Passing().intercept] } }
        var file: DownloadedFile?
        switch way {
        case 3: file = try await bench.resource.call(.get).download(to: .temporary).start().value
        case 4:
            let outcome = await RequestGroup().run { file = try await bench.resource.download(to: .temporary) }
            #expect(outcome.isSuccessful)
        default: file = try await bench.resource.download(to: .temporary)
        }
        let path = try #require(file?.path)
        var copy = file
        file = nil
        #expect(bench.exists(path))
        withExtendedLifetime(copy) {}
        copy = nil
        // A task that has just ended may hold it slightly longer.
        try await eventually { !bench.exists(path) }
    }

    private struct Passing: Sendable {
        func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
            try await next(request)
        }
    }

    @Test func aFileInItsPlaceIsHeldByNobody() async throws {
        let folder = try TemporaryFolder()
        let file = try DownloadFile(
            target: FilePath(folder.path + "/data.bin"),
            part: DownloadTarget.part(of: FilePath(folder.path + "/data.bin"))
        )
        let path = try await file.commit(length: 0, .refuse, modified: nil)
        // Like a caller that moves it while the download's last reference still exists.
        _ = try PartFile(path)
        #expect(file.part.size == 0)
    }

    @Test func aTemporaryFileReplacesNothingUnlessTold() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("mine", to: "data.bin")
        let file = try await bench.resource.download(to: .temporary)
        let error = #expect(throws: CumulusError.self) { try file.move(to: bench.path) }
        #expect(error?.code == .fileExists)
        #expect(bench.bytes() == Array("mine".utf8))
        try file.move(to: bench.path, replacing: true)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("A file that can't be moved stays where it is, and one with two names moves with its bytes")
    func moves() async throws {
        let bench = try DownloadBench()
        let file = try await bench.download()
        let taken = try bench.folder.write("mine", to: "taken")
        let error = #expect(throws: CumulusError.self) { try file.move(to: taken) }
        #expect(error?.code == .fileExists)
        #expect(bench.bytes() == bench.remote.bytes, "it is not a temporary file")
        try FileManager.default.linkItem(atPath: bench.path, toPath: bench.folder.path + "/second")
        let moved = try file.move(to: bench.folder.path + "/moved")
        #expect(bench.bytes(moved.path) == bench.remote.bytes)
        #expect(bench.names == ["moved", "second", "taken"])
    }

    @Test("A temporary file whose place another file has taken is neither moved nor deleted")
    func replacedTemporary() async throws {
        let bench = try DownloadBench()
        var file: DownloadedFile? = try await bench.resource.download(to: .temporary)
        let path = try #require(file?.path)
        let other = try bench.folder.write("mine", to: "other")
        #expect(rename(other, path) == 0)
        let error = #expect(throws: CumulusError.self) { try file?.move(to: bench.path) }
        #expect(error?.code == .disk)
        file = nil
        #expect(bench.bytes(path) == Array("mine".utf8) && !bench.exists(bench.path))
    }

    @Test("the cache directory is inherited")
    func inherited() async throws {
        let bench = try DownloadBench()
        let file = try await bench.site["deep"]["er"].download(to: .temporary)
        #expect(file.path.hasPrefix(bench.folder.path + "/caches/"))
    }

    // MARK: What is not a success

    @Test("an error's body is in the error, never in the file", arguments: [400, 404, 500, 503])
    func statuses(code: Int) async throws {
        let bench = try DownloadBench()
        let status = HTTPResponse.Status(code: code)
        bench.site.setRules { $0.retry = .never }
        bench.remote.change { $0.twists = [{ _, _ in .text(String(repeating: "x", count: 100_000), status: status) }] }
        let error = try await bench.failure()
        #expect(error.code == .status)
        #expect(error.statusCode == code)
        #expect(error.response?.bytes.count == 65_536)
        #expect(bench.names.isEmpty)
    }

    @Test func notModifiedIsItsOwnError() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.tracksRevisions = true }
        _ = try await bench.download()
        bench.remote.change { $0.twists = [{ _, _ in .response(.notModified) }] }
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .notModified)
        #expect(bench.remote.seen.last?[.ifNoneMatch] == "\"v1\"")
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("a coding that was not requested and is unknown is refused") func unknownCodings() async throws {
        let bench = try DownloadBench()
        bench.remote.change { $0.extra[.contentEncoding] = "zz" }
        #expect(try await bench.failure().code == .contentCoding)
        #expect(bench.names.isEmpty)
        let file = try await bench.resource.call(.get, headers: [.acceptEncoding: "zz"]).download(
            to: .file(bench.path)
        ).send()
        #expect(file.byteCount == 100_000)
        #expect(bench.bytes() == bench.remote.bytes)
    }

    // MARK: The pipeline

    @Test("Post-processors get the file, in a chain")
    func postProcessors() async throws {
        let bench = try DownloadBench()
        let seen = Mutex<[String]>([])
        let processor: PostProcessor = { value, response in
            seen.withLock { $0.append("\((value as? DownloadedFile)?.byteCount ?? 0) \(response.status.code)") }
            return value
        }
        bench.site.setRules { $0.postProcessors = [processor, processor] }
        _ = try await bench.download()
        #expect(seen.withLock(\.self) == ["100000 200", "100000 200"])
    }

    @Test func validatorsSeeTheHeadBeforeAnythingIsWritten() async throws {
        let bench = try DownloadBench()
        struct Refusal: Error {}
        bench.site.setRules {
            $0.validators = [{ response in if response.headers[.eTag] != nil { throw Refusal() } }]
        }
        #expect(try await bench.failure().code == .validation)
        #expect(bench.names.isEmpty)
        #expect(bench.transport.cancelledBodies == 1)
    }

    @Test func preflightsRefuseDownloads() async throws {
        let bench = try DownloadBench()
        struct Refusal: Error {}
        bench.site.setRules { $0.preflights = [{ _ in throw Refusal() }] }
        #expect(try await bench.failure().code == .refused)
        #expect(bench.remote.seen.isEmpty)
    }

    @Test("progress has a first and a last event, the file and the total")
    func progress() async throws {
        let bench = try DownloadBench()
        let events = Mutex<[TransferProgress]>([])
        _ = try await bench.resource.download(to: .file(bench.path)) { event in events.withLock { $0.append(event) } }
        let all = events.withLock(\.self)
        #expect(all.first?.completed == 0)
        #expect(all.first?.total == 100_000)
        #expect(all.last?.isFinished == true)
        #expect(all.last?.completed == 100_000)
        #expect(all.allSatisfy { $0.file == bench.path && $0.direction == .receiving })
    }

    @Test func aPreparedDownloadIsStartedWatchedAndStartedAgain() async throws {
        let bench = try DownloadBench()
        let request = bench.resource.call(.get).download(
            to: .file(bench.path),
            options: DownloadOptions(existing: .replace)
        )
        let handle = request.start()
        var last: TransferProgress?
        for await event in handle.progress { last = event }
        #expect(try await handle.value.byteCount == 100_000)
        #expect(last?.isFinished == true)
        #expect(try await request.send().byteCount == 100_000)
    }

    @Test(
        "fixtures answer downloads and ranges",
        arguments: [(nil, 0..<1000), (200..<300, 200..<300)] as [(Range<Int64>?, Range<Int>)]
    )
    func fixtures(range: Range<Int64>?, expected: Range<Int>) async throws {
        let bench = try DownloadBench()
        let content = RemoteFile.content(1000)
        bench.site.setRules {
            $0.fixtureUse = .only
            $0.fixtures["GET /data.bin"] = .bytes(content)
        }
        let file = try await bench.download(DownloadOptions(range: range))
        #expect(bench.bytes() == Array(content[expected]))
        #expect(file.byteCount == Int64(expected.count))
        #expect(bench.remote.seen.isEmpty)
    }

    @Test("Cancelling ends a download and leaves nothing", arguments: [false, true])
    func cancelling(byTicket: Bool) async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        bench.remote.change { state in
            state.twists = [{ _, _ in .script([.chunk([1, 2, 3]), .gate(gate)], headers: [.contentLength: "9"]) }]
        }
        let events = Mutex(0)
        let task = Task { [bench] in
            try await bench.resource.download(to: .file(bench.path)) { _ in events.withLock { $0 += 1 } }
        }
        try await eventually { bench.exists(bench.part) }
        if byTicket { bench.site.cancelAll() } else { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bench.names.isEmpty)
        #expect(bench.site.runningCalls.isEmpty)
    }
}
