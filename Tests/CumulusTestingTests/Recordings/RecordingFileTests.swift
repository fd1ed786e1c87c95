// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// How a recording's file grows, and what is left of it after a kill, a full disk or another program.
@Suite(.timeLimit(.minutes(10))) struct RecordingFileTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = "\(folder.path)/session.har"
    }

    private func site(_ transport: any Transport) -> Resource {
        Resource("https://api.example", transport: transport) { $0.retry = .never }
    }

    private func recorded(_ mode: RecordingOptions.Mode = .once, _ text: String = "") -> Resource {
        site(.recording(to: file, mode, over: StubTransport { .text("\(text)\($0.number)") }))
    }

    private var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) } }

    private func entries(of bytes: [UInt8]) throws -> Int {
        try JSON(parsing: bytes)["log"]["entries"].array?.count ?? 0
    }

    private func number() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    }

    /// The texts that a replay of the file returns, in order.
    private func replayed() async throws -> [String] {
        let site = site(.replaying(from: file))
        var texts: [String] = []
        while true {
            do { texts.append(try await site["x"].get().text ?? "") } catch { return texts }
        }
    }

    @Test func exchangeWritesItsOwnBytesOnly() async throws {
        let site = recorded()
        _ = try await site["x"].get()
        let number = try number()
        // Another program's change of a byte lasts only if this byte isn't written again.
        let place = try #require(try bytes.firstIndex(of: UInt8(ascii: "C")))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.seek(toOffset: UInt64(place))
        try handle.write(contentsOf: Data("K".utf8))
        try handle.close()
        var before = try bytes
        let first = before.count
        for count in 2...200 {
            _ = try await site["x"].get()
            let after = try bytes
            #expect(after.starts(with: before.dropLast(5)), "exchange \(count)")
            #expect(after.count - before.count <= first, "exchange \(count)")
            #expect(try entries(of: after) == count)
            before = after
        }
        #expect(try self.number() == number && String(decoding: before, as: UTF8.self).contains("Kumulus"))
        #expect(try await replayed().count == 200)
    }

    @Test("a process that is killed while it writes loses nothing that was written before")
    func everyMomentIsReadable() async throws {
        let site = recorded(.once, String(repeating: "long ", count: 100))
        for _ in 1...3 { _ = try await site["x"].get() }
        let before = try bytes
        let texts = try await replayed()
        _ = try await site["x"].get()
        let after = try bytes
        // The new entry first, behind the ending; then the ending becomes a comma.
        let added = Array(after[before.count...])
        for count in stride(from: 0, through: added.count, by: 7) {
            try Data(before + added.prefix(count)).write(to: URL(fileURLWithPath: file))
            #expect(try await replayed() == texts, "after \(count) bytes")
        }
        try Data(after).write(to: URL(fileURLWithPath: file))
        #expect(try await replayed().count == 4)
        // The recording goes on where it was.
        try Data(before + added.dropLast(9)).write(to: URL(fileURLWithPath: file))
        _ = try await recorded(.new)["y"].get()
        #expect(try entries(of: bytes) == 4)
        #expect(try await replayed() == texts)
    }

    @Test("the ending is never divided between two pages, which a kill could tear apart") func endingLiesInOnePage()
        async throws
    {
        let length = Mutex(2_000)
        let site = site(
            .recording(
                to: file,
                over: StubTransport { _ in .text(String(repeating: "x", count: length.withLock(\.self))) }
            )
        )
        site.setRules { $0.clock = ManualClock() }
        _ = try await site["x"].get()
        // The number of an entry's bytes without its text; a date without a fraction is shorter, once in a while.
        var others = 1_000
        for place in [4_090, 4_091, 4_092, 4_093, 4_094, 4_095, 0] {
            var end = 0
            repeat {
                let before = try bytes.count
                let needed = ((place - before - others) % 4_096 + 4_096) % 4_096
                let count = needed < 1_000 ? needed + 4_096 : needed
                length.withLock { $0 = count }
                _ = try await site["x"].get()
                let bytes = try bytes
                end = (bytes.dropLast(5).lastIndex { $0 != UInt8(ascii: " ") } ?? 0) + 1
                others = end - before - count
                let blanks = (4_092...4_095).contains(end % 4_096) ? 4_096 - end % 4_096 : 0
                #expect(bytes.count == end + blanks + 5, "\(end)")
            } while end % 4_096 != place
        }
        #expect(try entries(of: bytes) >= 8)
    }

    @Test func exchangesThatEndOutOfOrderKeepTheirPlaces() async throws {
        let gates = (0..<3).map { _ in Gate() }
        let stub = StubTransport { request in
            if request.number <= 3 { try await gates[request.number - 1].wait() }
            return .text("\(request.number)")
        }
        let site = site(.recording(to: file, over: stub))
        var tasks: [Task<String, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await site["x"].get().text ?? "" })
            while stub.requests.count < number { await Task.yield() }
        }
        for number in [2, 1, 3] {
            gates[number - 1].open()
            _ = try await tasks[number - 1].value
        }
        let entries = try JSON(parsing: bytes)["log"]["entries"]
        #expect((0..<3).map { entries[$0]["response"]["content"]["text"].string } == ["2", "1", "3"])
        #expect((0..<3).map { entries[$0]["_order"].int } == [1, 0, nil], "only where the place is not the position")
        #expect(try await replayed() == ["1", "2", "3"])
        // A new recording writes them in order.
        _ = try await self.site(.recording(to: file, .new, over: stub))["y"].get()
        let sorted = try JSON(parsing: bytes)["log"]["entries"]
        #expect((0..<4).map { sorted[$0]["response"]["content"]["text"].string } == ["1", "2", "3", "4"])
        #expect(!String(decoding: try bytes, as: UTF8.self).contains("_order"))
    }

    private func expectRefused(_ site: Resource, _ note: Comment) async {
        let error = await #expect(throws: CumulusError.self, note) { try await site["x"].get() }
        let problem = error?.cause as? RecordingProblem
        #expect(problem?.kind == .unwritable, note)
        #expect(problem?.description.contains("has created, changed or removed the file in the meantime") == true, note)
    }

    @Test("of two recordings to one file, the later one fails; the file stays that of the other")
    func twoRecordings() async throws {
        let (one, two) = (recorded(.once, "one "), recorded(.once, "two "))
        _ = try await one["x"].get()
        await expectRefused(two, "the second one would replace the file")
        _ = try await one["x"].get()
        #expect(try await replayed() == ["one 1", "one 2"])
        let (three, four) = (recorded(.new, "three "), recorded(.new, "four "))
        _ = try await three["y"].get()
        _ = try await four["x"].get()
        let error = await #expect(throws: CumulusError.self) { try await four["z"].get() }
        #expect((error?.cause as? RecordingProblem)?.kind == .unwritable)
        #expect(try entries(of: bytes) == 3)
    }

    @Test func recordingThatAnotherOneReplacesFails() async throws {
        let (one, two) = (recorded(.always, "one "), recorded(.always, "two "))
        _ = try await one["x"].get()
        _ = try await two["x"].get()
        await expectRefused(one, "the file is another one")
        _ = try await two["x"].get()
        #expect(try await replayed() == ["two 1", "two 2"])
        try FileManager.default.removeItem(atPath: file)
        await expectRefused(two, "the file is missing")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    // MARK: Informational responses

    /// Passes two informational responses on before each response.
    private struct HintingTransport: Transport {
        var capabilities: TransportCapabilities { TransportCapabilities() }

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            request.onInformational?(HTTPResponse(status: .init(code: 102)))
            let fields = HTTPField.Name("Link").map { [$0: "</a.css?token=hunter2>; rel=preload"] as HTTPFields }
            request.onInformational?(HTTPResponse(status: .earlyHints, headerFields: fields ?? [:]))
            return TransportResponse(
                head: ResponseHead(status: .ok, headers: [:]),
                body: ResponseBody(complete: ByteChunk(Array("done".utf8)))
            )
        }
    }

    /// Notes the informational responses that pass through.
    private struct NotingTransport: Transport {
        let next: any Transport
        let seen: Log

        final class Log: Sendable {
            let responses = Mutex<[HTTPResponse]>([])
        }

        var capabilities: TransportCapabilities { next.capabilities }

        func identity(at origin: Origin) -> TransportIdentity { next.identity(at: origin) }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var request = request
            request.onInformational = { [seen] response in seen.responses.withLock { $0.append(response) } }
            return try await next.send(request)
        }
    }

    @Test func informationalResponsesAreReplayed() async throws {
        func informational(_ transport: any Transport) async throws -> [HTTPResponse] {
            let log = NotingTransport.Log()
            let text = try await site(NotingTransport(next: transport, seen: log))["x"].get().text
            #expect(text == "done")
            return log.responses.withLock(\.self)
        }
        var seen = [try await informational(RecordingTransport(to: file, over: HintingTransport()))]
        seen.append(try await informational(RecordingTransport(from: file)))
        #expect(seen.map { $0.map(\.status.code) } == [[102, 103], [102, 103]])
        let link = try #require(HTTPField.Name("Link"))
        #expect(seen[1].last?.headerFields[link]?.hasSuffix(">; rel=preload") == true)
        #expect(!String(decoding: try bytes, as: UTF8.self).contains("hunter2"))
    }
}
