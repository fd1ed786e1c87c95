// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Fixtures instead of the network.
@Suite struct FixtureTests {
    private struct Post: Codable, Sendable, Equatable {
        var id = 1
        var title = "Clouds"
    }

    private let offline = Offline()
    private var site: Resource { offline.site }

    // MARK: The originals' twelve cases

    @Test func aText() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .text("hello") }
        let response = try await place.get()
        #expect(response.text == "hello")
        #expect(response.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(response.status.code == 200)
        #expect(offline.sentCount == 0)
    }

    @Test func trailersOfTheRequestAreMade() async throws {
        struct Trouble: Error {}
        let place = site["a"]
        place.setRules { $0.fixtures[.post] = .text("hello") }
        let made = Mutex(0)
        let payload = Payload.text("text").trailer("X-Sum") {
            made.withLock { $0 += 1 }
            return "1"
        }
        try await place.post(payload).requireSuccess()
        #expect(made.withLock(\.self) == 1)
        let error = await #expect(throws: CumulusError.self) {
            try await place.post(.text("text").trailer("X-Sum") { throw Trouble() })
        }
        #expect(error?.code == .requestBody && (error?.cause as? TransportFailure)?.cause is Trouble)
    }

    @Test func data() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .bytes([0, 255, 1] as [UInt8]) }
        let response = try await place.get()
        #expect(response.bytes.bytes == [0, 255, 1])
        #expect(response.header("Content-Type") == "application/octet-stream")
    }

    @Test func anItem() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .value(Post()) }
        let post = try await place.get(as: Post.self)
        #expect(post == Post())
    }

    @Test func aList() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .json([Post(), Post(id: 2)]) }
        let posts = try await place.get(as: [Post].self)
        #expect(posts.map(\.id) == [1, 2])
    }

    @Test(
        arguments: [
            ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpeg", [0xFF, 0xD8, 0xFF, 0xE0]),
            ("gif", Array("GIF89a".utf8)), ("webp", Array("RIFF....WEBP".utf8)),
        ] as [(String, [UInt8])]
    ) func anImageByWhatItBeginsWith(kind: String, bytes: [UInt8]) async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .bytes(bytes) }
        let type = try await place.get().mediaType
        #expect(type?.essence == "image/\(kind)")
    }

    @Test func aFileWithTheTypeOfItsExtension() async throws {
        let folder = try TemporaryFolder()
        let place = site["a"]
        let file = try folder.write("<a/>", to: "answer.xml")
        place.setRules { $0.fixtures[.get] = .file(file) }
        let response = try await place.get()
        #expect(response.text == "<a/>")
        #expect(response.mediaType == .xml)
    }

    @Test func aLongFileComesInPieces() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let place = site["a"]
        let file = try folder.write(bytes, to: "big.bin")
        place.setRules { $0.fixtures[.get] = .file(file) }
        let stream = try await place.call(.get).stream()
        #expect(stream.expectedLength == 100_000)
        var pieces: [[UInt8]] = []
        for try await piece in stream { pieces.append(piece.bytes) }
        #expect(pieces.count == 7)
        #expect(pieces.flatMap(\.self) == bytes)
    }

    @Test func anotherMethodsFixtureIsNotUsed() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.put] = .text("put") }
        let text = try await place.get(as: String.self)
        #expect(text == "from the network")
    }

    @Test func aTreeWideOne() async throws {
        site.setRules { $0.fixtures["GET /posts/1"] = .json(Post()) }
        let post = try await site["posts"][1].get(as: Post.self)
        #expect(post == Post())
    }

    @Test func aResourcesOwnBeatsTheTreeWideOne() async throws {
        site.setRules { $0.fixtures["GET /posts/1"] = .text("global") }
        site["posts/1"].setRules { $0.fixtures[.get] = .text("local") }
        #expect(try await site["posts/1"].get().text == "local")
        site["posts/1"].setRules { $0.inherit(\.fixtures) }
        #expect(try await site["posts/1"].get().text == "global")
    }

    @Test func offSendsAll() async throws {
        site.setRules {
            $0.fixtures["GET /a"] = .text("fixture")
            $0.fixtureUse = .off
        }
        let text = try await site["a"].get().text
        #expect(text == "from the network")
    }

    @Test func aQueryIsNotLookedAt() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("fixture") }
        let text = try await site["a"].get(query: ["q": 1]).text
        #expect(text == "fixture")
    }

    // MARK: Type

    @Test func whatTheRequestAcceptsNamesTheType() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .text("a,b") }
        let type = try await place.get(headers: [.accept: "text/html;q=0.5, text/csv, */*;q=0.1"]).header(
            "Content-Type"
        )
        #expect(type == "text/csv")
    }

    @Test func anExplicitTypeBeatsWhatIsAccepted() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .text("{}", headers: [.contentType: "application/problem+json"]) }
        let type = try await place.get(headers: [.accept: "text/csv"]).header("Content-Type")
        #expect(type == "application/problem+json")
    }

    @Test func aValueWithoutACoderForWhatIsAcceptedIsAnError() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .value(Post()) }
        let error = try await failure { try await place.get(headers: [.accept: "text/csv"]) }
        #expect(error.code == .fixture)
        #expect(error.message.contains("text/csv"))
        #expect(error.message.contains("/a"))
    }

    // MARK: Status, failure, sequence, delay

    @Test func statusAndHeaders() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.delete] = .status(.noContent, headers: [.eTag: "\"1\""]) }
        let response = try await place.delete()
        #expect(response.status == .noContent)
        #expect(response.header("ETag") == "\"1\"")
        #expect(response.header("Content-Length") == nil)
    }

    @Test func aStatusThatMeansFailureThrowsWhereAValueIsWanted() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .json(["title": "no such post"], status: .notFound) }
        let error = try await failure { try await place.get(as: Post.self) }
        #expect(error.code == .status)
        #expect(error.response?.text == #"{"title":"no such post"}"#)
    }

    @Test func aFailureIsATransports() async throws {
        let place = site["a"]
        place.setRules { $0.fixtures[.get] = .failure(TransportFailure(.connect, "the cable is cut")) }
        let error = try await failure { try await place.get() }
        #expect(error.code == .connect)
        #expect(error.stage == .transmission)
    }

    @Test func aSequenceGoesOnWithEachRequestAndItsLastStays() async throws {
        site.setRules {
            $0.retry = .never
            $0.fixtures["GET /a"] = .sequence([.status(.serviceUnavailable), .text("1"), .text("2")])
        }
        var answers: [String] = []
        for _ in 0..<5 { answers.append(try await site["a"].get().text ?? "") }
        #expect(answers == ["", "1", "2", "2", "2"])
    }

    @Test func aSequenceGivesEachOfManyAtOnceItsOwn() async throws {
        let site = site
        site.setRules { $0.fixtures["GET /a"] = .sequence((0..<100).map { .text("\($0)") }, then: .fails) }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await site["a"].get().text ?? "" } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 100)
    }

    @Test func aSequenceMayEnd() async throws {
        site.setRules { $0.fixtures["GET /a"] = .sequence([.text("1")], then: .fails) }
        try await site["a"].get().requireSuccess()
        let error = try await failure { try await site["a"].get() }
        #expect(error.code == .fixture)
        #expect(error.message.contains("all 1 responses"))
    }

    @Test func aDelayIsWaitedForOnTheRequestsClock() async throws {
        let clock = ManualClock()
        site.setRules {
            $0.clock = clock
            $0.fixtures["GET /a"] = .text("at last", delay: .seconds(10))
        }
        let site = site
        let task = Task { try await site["a"].get() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        let response = try await task.value
        #expect(response.elapsed == .seconds(10))
    }

    @Test("a sequence's delay is that of each of its answers") func aSequenceIsDelayed() async throws {
        let clock = ManualClock()
        let site = site
        site.setRules {
            $0.clock = clock
            $0.fixtures["GET /a"] = .sequence([.text("1"), .text("2", delay: .seconds(1))]).delayed(by: .seconds(10))
        }
        for (text, seconds) in [("1", 10), ("2", 11)] {
            let task = Task { try await site["a"].get() }
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(seconds))
            let response = try await task.value
            #expect(response.text == text && response.elapsed == .seconds(seconds))
        }
    }

    @Test("the only wait of a failing fixture is the pause before the retry") func theRetrysPauseIsTheOnlyWait()
        async throws
    {
        for _ in 0..<50 {
            let clock = ManualClock()
            let site = Offline().site
            site.setRules {
                $0.clock = clock
                $0.fixtures["GET /a"] = .sequence([.text("wait", status: .serviceUnavailable), .text("here you are")])
            }
            let task = Task { try await site["a"].get(as: String.self) }
            try await clock.waitForSleepers()
            let pause = try #require(clock.timeToNextSleeper)
            #expect(pause <= .milliseconds(300))
            clock.advance(by: pause)
            #expect(try await task.value == "here you are")
        }
    }

    @Test(arguments: [(30, nil), (nil, 30)] as [(Int?, Int?)]) func timeLimitsHold(
        timeout: Int?,
        deadline: Int?
    ) async throws {
        let clock = ManualClock()
        let site = site
        site.setRules {
            $0.clock = clock
            $0.retry = .never
            $0.timeout = timeout.map { .seconds($0) }
            $0.deadline = deadline.map { .seconds($0) }
            $0.fixtures["GET /a"] = .text("too late", delay: .seconds(60))
        }
        let task = Task { try await failure { try await site["a"].get() } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        let error = try await task.value
        #expect(error.code == .timeout)
        #expect(error.phase == (timeout == nil ? .total : .response))
        #expect(error.limit == .seconds(30))
    }

    @Test func aDelayCanBeCancelled() async throws {
        let clock = ManualClock()
        let site = site
        site.setRules {
            $0.clock = clock
            $0.fixtures["GET /a"] = .text("never", delay: .seconds(60))
        }
        let task = Task { try await site["a"].get() }
        try await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: The pipeline really runs

    @Test func allButTheTransportRuns() async throws {
        let seen = Mutex<[String]>([])
        let note: @Sendable (String) -> Void = { word in seen.withLock { $0.append(word) } }
        let site = site
        site.setRules {
            $0.preflights = [{ _ in note("preflight") }]
            $0.authorizers = [.custom(NotingAuthorizer(note: note))]
            $0.validators = [{ _ in note("validator") }]
            $0.postProcessors = [
                { value, _ in
                    note("post-processor")
                    return "\(value)!"
                }
            ]
            $0.fixtures["GET /old"] = .status(.found, headers: [.location: "/new"])
            $0.fixtures["GET /new"] = .text("new")
        }
        let text = try await site["old"].get(as: String.self)
        #expect(text == "new!")
        #expect(seen.withLock { $0 } == ["preflight", "authorizer", "authorizer", "validator", "post-processor"])
        #expect(offline.sentCount == 0)
    }

    private struct NotingAuthorizer: Authorizer {
        let note: @Sendable (String) -> Void
        func authorize(_ request: inout EncodedRequest) async throws { note("authorizer") }
    }

    @Test func anUploadIsReadToItsEnd() async throws {
        site.setRules { $0.fixtures["PUT /a"] = .status(.created) }
        let written = Mutex(0)
        let body = StreamBody(length: 30) { _, writer in
            for _ in 0..<3 {
                try await writer.write(ByteChunk("0123456789"))
                written.withLock { $0 += 10 }
            }
        }
        let response = try await site["a"].put(.body(.stream(body)))
        #expect(written.withLock { $0 } == 30)
        #expect(response.facts.bytesSent == 30)
    }

    @Test func anUploadThatCantBeProducedFails() async throws {
        site.setRules { $0.fixtures["PUT /a"] = .status(.created) }
        let file = FileBody(path: "/nowhere/at/all", length: 1)
        let error = try await failure { try await site["a"].put(.body(.file(file))) }
        #expect(error.code == .requestBody)
    }

    @Test func headGetsTheHeadOfGetsFixture() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("hello") }
        let response = try await site["a"].head()
        #expect(response.header("Content-Length") == "5")
        #expect(response.bytes.isEmpty)
    }

    @Test("HEAD is GET's head in each layer, unless the layer names HEAD") func headByLayer() async throws {
        site.setRules {
            $0.fixtures = ["* /*": .status(.notFound), "GET /a": .text("hello"), "HEAD /b": .status(.gone)]
        }
        #expect(try await site["a"].head().status == .ok)
        #expect(try await site["b"].head().status == .gone)
        #expect(try await site["b"].get().status == .notFound)
        let near = site.with { $0.fixtures["GET /b"] = .text("near") }
        #expect(try await near["b"].head().status == .ok)
    }

    @Test("bytes that are there already aren't said to be in another charset") func acceptedCharset() async throws {
        site.setRules { $0.fixtures["GET /a"] = .text("abcd") }
        let response = try await site["a"].get(headers: ["Accept": "text/html; charset=utf-16"])
        #expect(response.header("Content-Type") == "text/html" && response.text == "abcd")
    }
}
