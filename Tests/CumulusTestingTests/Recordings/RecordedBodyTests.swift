// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Bodies of recordings: codings, types, sizes, and ends.
@Suite(.timeLimit(.minutes(10))) struct RecordedBodyTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = "\(folder.path)/session.har"
    }

    private func site(_ transport: any Transport) -> Resource {
        Resource("https://api.example", transport: transport) {
            $0.retry = .never
            $0.resumes = false
        }
    }

    private func content(_ number: Int = 0) throws -> JSON {
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        return har["log"]["entries"][number]["response"]["content"]
    }

    private func sideFiles() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(file).bodies")) ?? []).sorted()
    }

    /// "abcdefg", compressed by gzip.
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x4C, 0x4A, 0x4E, 0x49, 0x4D, 0x4B, 0x07,
        0x00,
        0xA6, 0x6A, 0x2A, 0x31, 0x07, 0x00, 0x00, 0x00,
    ]

    @Test("a coded body is recorded and replayed decoded, without Content-Encoding and Content-Length")
    func contentCoding() async throws {
        let stub = StubTransport { _ in
            .bytes(
                Self.gzipped,
                type: .text,
                headers: [
                    "Content-Encoding": "gzip", "Content-Length": "\(Self.gzipped.count)", "ETag": "\"1\"",
                ]
            )
        }
        #expect(try await site(.recording(to: file, over: stub)).get().text == "abcdefg")
        #expect(try content()["text"].string == "abcdefg")
        let replayed = try await site(.replaying(from: file)).get()
        #expect(replayed.text == "abcdefg" && replayed.headers["ETag"] == "\"1\"")
        #expect(replayed.headers[.contentEncoding] == nil && replayed.headers[.contentLength] == nil)
    }

    @Test(arguments: [RecordingOptions.Mode.always, .new])
    func requestKeepsItsTrailersWhenItIsRecorded(_ mode: RecordingOptions.Mode) async throws {
        let stub = StubTransport { _ in .text("") }
        var options = RecordingOptions()
        options.matchesBodies = true
        for text in ["one", "two"] {
            let body = StreamBody { _, writer in
                try await writer.write(ByteChunk(text))
            } trailers: {
                [.eTag: text]
            }
            try await site(.recording(to: file, mode, over: stub, options: options)).post(.body(.stream(body)))
                .requireSuccess()
            #expect(stub.lastRequest?.text == text && stub.lastRequest?.trailers[.eTag] == text)
        }
    }

    @Test func trailersAreMadeForAReplayedResponse() async throws {
        struct Trouble: Error {}
        try await site(.recording(to: file, over: StubTransport { _ in .text("") })).post(.text("text"))
            .requireSuccess()
        let error = await #expect(throws: CumulusError.self) {
            try await site(.replaying(from: file)).post(.text("text").trailer("X-Sum") { throw Trouble() })
        }
        #expect(error?.code == .requestBody && (error?.cause as? TransportFailure)?.cause is Trouble)
    }

    @Test func unknownCodingIsNotRecorded() async throws {
        let stub = StubTransport { _ in .bytes([1, 2, 3], headers: ["Content-Encoding": "br"]) }
        _ = try? await site(.recording(to: file, over: stub)).get()
        #expect(try content()["comment"].string?.contains("its content coding can't be removed: br") == true)
        let error = await #expect(throws: CumulusError.self) { try await site(.replaying(from: file)).get() }
        let problem = try #require(error?.cause as? RecordingProblem)
        #expect(problem.kind == .missingBody && problem.jsonPath == "$.log.entries[0]")
    }

    @Test("text is text, in any language; bytes are base64; neither is changed") func textAndBytes() async throws {
        let bodies: [([UInt8], MediaType, encoding: String?)] = [
            (Array("\u{FEFF}Zürich \u{0}\r\n\u{1F324}".utf8), .text, nil),
            (
                [0xE4, 0xF6], MediaType("text", "plain", parameters: [.init(name: "charset", value: "iso-8859-1")]),
                "base64"
            ),
            // In another charset, these bytes are other letters.
            (
                Array("ü".utf8),
                MediaType("text", "plain", parameters: [.init(name: "charset", value: "windows-1251")]), "base64"
            ),
            (Array(UInt8.min...UInt8.max), .bytes, "base64"),
        ]
        let stub = StubTransport { request in
            let (bytes, type, _) = bodies[request.number - 1]
            return .bytes(bytes, type: type)
        }
        let recording = site(.recording(to: file, over: stub))
        for number in bodies.indices { _ = try await recording[number].get() }
        let replay = site(.replaying(from: file))
        for (number, (bytes, type, encoding)) in bodies.enumerated() {
            let response = try await replay[number].get()
            #expect(response.bytes.bytes == bytes && response.mediaType == type)
            #expect(try content(number)["encoding"].string == encoding)
        }
    }

    @Test("large bodies have files of their own, named by their content") func largeBodies() async throws {
        let image = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let text = [UInt8](repeating: 65, count: 300_000)
        let stub = StubTransport { routes in
            routes.on(.get, "/files/:name", .bytes(image, type: .png))
            routes.on(.get, "/text", .bytes(text, type: .text))
            routes.on(.put, "/upload") { request in .text("\(request.body.count)") }
        }
        let recording = site(.recording(to: file, over: stub))
        _ = try await recording["files"][segment: "../../etc"].get()
        _ = try await recording["text"].get()
        _ = try await recording["upload"].put(.bytes(image, type: .png))
        let names = sideFiles()
        #expect(names.count == 2, "\(names)")
        #expect(names.allSatisfy { $0.utf8.count == 64 })
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(file).bodies/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count < 10_000)
        let replay = site(.replaying(from: file))
        #expect(try await replay["files"][segment: "../../etc"].get().bytes.bytes == image)
        #expect(try await replay["text"].get().bytes.bytes == text)
        try FileManager.default.removeItem(atPath: "\(file).bodies")
        let error = await #expect(throws: CumulusError.self) { try await site(.replaying(from: file))["text"].get() }
        #expect((error?.cause as? RecordingProblem)?.kind == .unreadable)
    }

    @Test("a text that is too long to be searched for secrets is not recorded, unless secrets are included")
    func longText() async throws {
        let text = [UInt8](repeating: 65, count: 9_000_000)
        let stub = StubTransport { _ in .bytes(text, type: .text) }
        _ = try await site(.recording(to: file, over: stub)).get()
        #expect(try content()["comment"].string?.contains("longer than 8 MiB") == true && sideFiles().isEmpty)
        var options = RecordingOptions()
        options.includesSecrets = true
        _ = try await site(.recording(to: file, .always, over: stub, options: options)).get()
        #expect(sideFiles().count == 1)
        #expect(try await site(.replaying(from: file)).get().bytes.count == text.count)
    }

    @Test func partsOfContentAreReplayed() async throws {
        let stub = StubTransport { _ in
            .bytes([3, 4, 5], type: .bytes, status: .partialContent, headers: ["Content-Range": "bytes 3-5/9"])
        }
        func get(_ transport: any Transport) async throws -> Response {
            try await site(transport).get(headers: [.range: "bytes=3-5"])
        }
        _ = try await get(.recording(to: file, over: stub))
        let part = try await get(.replaying(from: file))
        #expect(part.status == .partialContent && part.bytes.bytes == [3, 4, 5])
        #expect(part.headers[.contentRange] == "bytes 3-5/9")
    }

    @Test("failures are replayed, before the head and within a body") func failures() async throws {
        let stub = StubTransport { routes in
            routes.on(.get, "/refused", .failure(TransportFailure(.connect, "refused")))
            routes.on(.get, "/late", .failure(TransportFailure(.timeout(.response), "late", fate: .unknown)))
            routes.on(
                .get,
                "/cut",
                .script(
                    [.chunk(Array("half".utf8)), .fail(TransportFailure(.truncated, "cut"))],
                    headers: ["Content-Length": "8"]
                )
            )
        }
        func errors(_ site: Resource) async -> [String] {
            var errors: [String] = []
            for name in ["refused", "late", "cut"] {
                do { _ = try await site[segment: name].get() } catch let error as CumulusError {
                    let failure = error.cause as? TransportFailure
                    errors.append("\(error.code) \(failure.map { "\($0) \($0.fate)" } ?? "-")")
                } catch { errors.append("\(error)") }
            }
            return errors
        }
        let recorded = await errors(site(.recording(to: file, over: stub)))
        #expect(recorded.count == 3 && recorded.allSatisfy { !$0.hasSuffix("-") }, "\(recorded)")
        #expect(await errors(site(.replaying(from: file))) == recorded)
        let entries = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))["log"]["entries"]
        #expect(entries[0]["response"]["status"].int == 0 && entries[0]["response"]["_error"].string == "refused")
        #expect(entries[2]["response"]["content"]["text"].string == "half")
    }

    @Test("a stream that was left has its beginning, and then stays silent") func leftStream() async throws {
        let never = Gate()
        let stub = StubTransport { _ in
            .script([.chunk(Array("one\n".utf8)), .chunk(Array("two\n".utf8)), .gate(never)])
        }
        func lines(_ transport: any Transport) async throws -> [UInt8] {
            let stream = try await site(transport).call(.get).stream()
            var bytes: [UInt8] = []
            for try await chunk in stream {
                bytes += chunk.bytes
                if bytes.count == 8 { break }
            }
            stream.cancel()
            return bytes
        }
        let transport = RecordingTransport(to: file, over: stub)
        let recorded = try await lines(transport)
        // Nothing is lost: the exchange is saved, although its caller didn't wait.
        try await transport.save()
        #expect(try content()["text"].string == "one\ntwo\n")
        #expect(try await lines(.replaying(from: file)) == recorded)
        // A time limit ends the wait for more.
        let clock = ManualClock()
        let patient = site(.replaying(from: file))
        patient.setRules {
            $0.clock = clock
            $0.timeout = .seconds(5)
        }
        let task = Task { try await patient.get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: CumulusError.self) { try await task.value }
        #expect(error?.code == .timeout)
    }

    @Test("a call that is cancelled before its response is recorded as such") func cancelledCall() async throws {
        let never = Gate()
        let stub = StubTransport { _ in
            try await never.wait()
            return .text("x")
        }
        let transport = RecordingTransport(to: file, over: stub)
        let recording = site(transport)
        let task = Task { try await recording["slow"].get() }
        while stub.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await transport.save()
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(har["log"]["entries"][0]["response"]["_error"].string == "cancelled")
        let replay = site(.replaying(from: file))
        let other = Task { try await replay["slow"].get() }
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test("streamed and once-only request bodies are sent and recorded") func requestStreams() async throws {
        let stub = StubTransport { request in .text("\(request.text)") }
        let recording = site(.recording(to: file, over: stub))
        let body = StreamBody(length: 6) { _, writer in
            try await writer.write(ByteChunk("abc"))
            try await writer.write(ByteChunk("def"))
        }
        #expect(try await recording.post(.raw(.stream(body))).text == "abcdef")
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(har["log"]["entries"][0]["request"]["postData"]["text"].string == "abcdef")
        #expect(har["log"]["entries"][0]["request"]["bodySize"].int == 6)
    }
}
