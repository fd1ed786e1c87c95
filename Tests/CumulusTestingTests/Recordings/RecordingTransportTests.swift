// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RecordingTransportTests {
    /// A folder with the file of a recording, which doesn't exist yet.
    private static func folder() throws -> (folder: TemporaryFolder, file: String) {
        let folder = try TemporaryFolder()
        return (folder, "\(folder.path)/session.har")
    }

    private static func site(_ transport: any Transport, _ options: Resource.Settings.Type = Resource.Settings.self)
        -> Resource
    {
        Resource("https://api.example", transport: transport) { $0.retry = .never }
    }

    /// Replays what was recorded; nothing is sent.
    private static func replay(_ file: String, _ options: RecordingOptions = .init()) -> Resource {
        site(.replaying(from: file, options: options))
    }

    @Test func responsesAreReplayed() async throws {
        let (folder, file) = try Self.folder()
        let stub = StubTransport { routes in
            routes.on(.get, "/posts/:id", .json(#"{"title":"Clouds"}"#, headers: ["X-Total": "3", "X-Total": "4"]))
            routes.on(.post, "/posts", .text("made", status: .created))
            routes.on(.get, "/bytes", .bytes([0, 255, 7], type: .png))
            routes.on(.delete, "/posts/1", .status(.noContent))
            routes.on(.head, "/posts/1", .status(.ok, headers: ["Content-Length": "7"]))
        }
        func run(_ site: Resource) async throws -> [String] {
            var seen: [String] = []
            for call in [
                site["posts/1"].call(.get), site["posts"].call(.post, .text("hi")), site["bytes"].call(.get),
                site["posts/1"].call(.delete), site["posts/1"].call(.head),
            ] {
                let response = try await call.send()
                let total = response.headers[values: HTTPField.Name("X-Total")!]
                seen.append(
                    "\(response.statusCode) \(response.mediaType?.description ?? "-") \(response.bytes.bytes) \(total)"
                )
            }
            return seen
        }
        let recorded = try await run(Self.site(.recording(to: file, over: stub)))
        #expect(try await run(Self.replay(file)) == recorded)
        // The file exists, so nothing is sent.
        #expect(try await run(Self.site(.recording(to: file, over: stub))) == recorded)
        #expect(stub.requests.count == 5)
        withExtendedLifetime(folder) {}
    }

    @Test("the file is complete before a call's caller continues, is private, and has HAR's members")
    func fileIsHAR() async throws {
        let (folder, file) = try Self.folder()
        let transport = RecordingTransport(to: file, over: StubTransport { _ in .json(#"{"a":1}"#) })
        _ = try await Self.site(transport)["a"].post(.json(["n": 1]), query: ["x": "1 2"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let har = try JSON(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(har["log"]["version"].string == "1.2" && har["log"]["creator"]["name"].string == "Cumulus")
        let entry = har["log"]["entries"][0]
        #expect(entry["startedDateTime"].string?.hasSuffix("Z") == true && entry["time"].double != nil)
        #expect(entry["request"]["url"].string == "https://api.example/a?x=1%202")
        #expect(entry["request"]["queryString"][0] == ["name": "x", "value": "1 2"])
        #expect(entry["request"]["postData"]["text"].string == #"{"n":1}"#)
        #expect(entry["response"]["content"]["text"].string == #"{"a":1}"#)
        #expect(entry["response"]["content"]["size"].int == 7)
        for name in ["request", "response", "cache", "timings"] { #expect(entry[name].object != nil, "\(name)") }
        for name in ["send", "wait", "receive"] { #expect((entry["timings"][name].double ?? -1) >= 0, "\(name)") }
        withExtendedLifetime(folder) {}
    }

    @Test("equal requests get their responses in the order in which they were sent, also at once")
    func orderIsKept() async throws {
        let (folder, file) = try Self.folder()
        let gates = (0..<3).map { _ in Gate() }
        let stub = StubTransport { request in
            // The first response is the last to end.
            try await gates[request.number - 1].wait()
            return .text("\(request.number)")
        }
        let site = Self.site(.recording(to: file, over: stub))
        var tasks: [Task<String, any Error>] = []
        for number in 1...3 {
            tasks.append(Task { try await site["x"].get().text ?? "" })
            while stub.requests.count < number { await Task.yield() }
        }
        for (gate, task) in zip(gates, tasks).reversed() {
            gate.open()
            _ = try await task.value
        }
        let replay = Self.replay(file)
        for number in 1...3 { #expect(try await replay["x"].get().text == "\(number)") }
        let error = await #expect(throws: CumulusError.self) { try await replay["x"].get() }
        #expect(error?.message.contains("all its 3 responses to GET https://api.example/x have been used") == true)
        withExtendedLifetime(folder) {}
    }

    @Test("an unknown request reports the nearest one and the difference") func unknownRequest() async throws {
        let (folder, file) = try Self.folder()
        let site = Self.site(.recording(to: file, over: StubTransport { _ in .text("x") }))
        _ = try await site["posts"].get(query: ["page": "1", "size": "9"])
        _ = try await site["users"].get()
        let error = await #expect(throws: CumulusError.self) {
            try await Self.replay(file)["posts"].get(query: ["page": "2"])
        }
        let problem = try #require(error?.cause as? RecordingProblem)
        #expect(error?.code == .fixture && problem.kind == .unknownRequest && problem.file == file)
        #expect(
            problem.description.hasSuffix(
                "it has no response to GET https://api.example/posts?page=2; the nearest request is GET "
                    + "https://api.example/posts?page=1&size=9 at $.log.entries[0]: the query item \"page\" is \"2\", not "
                    + "\"1\"; the query item \"size\" is missing"
            ),
            "\(problem)"
        )
        let other = await #expect(throws: CumulusError.self) { try await Self.replay(file)["users"].delete() }
        #expect(other?.message.contains("$.log.entries[1]: the method is DELETE, not GET") == true, "\(other!)")
        withExtendedLifetime(folder) {}
    }

    @Test func chosenFieldsAndBodiesMatch() async throws {
        let (folder, file) = try Self.folder()
        var options = RecordingOptions()
        options.matchedFields = [.accept, .authorization]
        options.matchesBodies = true
        let stub = StubTransport { request in .text("\(request.headers[.accept] ?? "") \(request.number)") }
        let site = Self.site(.recording(to: file, over: stub, options: options))
        func post(_ site: Resource, _ type: String, _ body: JSON, _ token: String) async throws -> String {
            try await site.post(.json(body), headers: [.accept: type, .authorization: "Bearer \(token)"]).text ?? ""
        }
        let recorded = [
            try await post(site, "a/a", ["n": 1, "password": "one"], "t1"),
            try await post(site, "b/b", ["n": 1], "t1"), try await post(site, "a/a", ["n": 2], "t1"),
        ]
        let replay = Self.replay(file, options)
        // In another order, and with other secrets.
        #expect(try await post(replay, "a/a", ["n": 2], "t2") == recorded[2])
        #expect(try await post(replay, "b/b", ["n": 1], "t3") == recorded[1])
        #expect(try await post(replay, "a/a", ["n": 1, "password": "two"], "t4").hasPrefix("a/a"))
        let error = await #expect(throws: CumulusError.self) { try await post(replay, "c/c", ["n": 2], "t1") }
        #expect(error?.message.contains("the field accept is \"c/c\", not \"a/a\"") == true, "\(error!)")
        let body = await #expect(throws: CumulusError.self) { try await post(replay, "b/b", ["n": 3], "t1") }
        #expect(body?.message.contains("the body differs at byte 5 (7 bytes, not 7)") == true, "\(body!)")
        withExtendedLifetime(folder) {}
    }

    @Test("new requests are sent and added; the others are replayed") func newRequests() async throws {
        let (folder, file) = try Self.folder()
        let stub = StubTransport { request in .text("\(request.number)") }
        _ = try await Self.site(.recording(to: file, .new, over: stub))["a"].get()
        let site = Self.site(.recording(to: file, .new, over: stub))
        #expect(try await site["a"].get().text == "1")
        #expect(try await site["b"].get().text == "2")
        // Used up, so it is sent.
        #expect(try await site["a"].get().text == "3")
        let replay = Self.replay(file)
        #expect(try await replay["b"].get().text == "2")
        #expect(try await replay["a"].get().text == "1")
        #expect(try await replay["a"].get().text == "3")
        #expect(stub.requests.count == 3)
        _ = try await Self.site(.recording(to: file, .always, over: stub))["a"].get()
        #expect(try await Self.replay(file)["a"].get().text == "4")
        await #expect(throws: CumulusError.self) { try await Self.replay(file)["b"].get() }
        withExtendedLifetime(folder) {}
    }

    @Test func fileThatCannotBeWrittenIsReported() async throws {
        let (folder, file) = try Self.folder()
        let transport = RecordingTransport(
            to: "\(folder.path)/session.har/x.har",
            over: StubTransport { _ in .text("x") }
        )
        try Data().write(to: URL(fileURLWithPath: file))
        let error = await #expect(throws: CumulusError.self) { try await Self.site(transport).get() }
        #expect((error?.cause as? RecordingProblem)?.kind == .unwritable, "\(error!)")
    }

    @Test func missingFileIsReported() async throws {
        let error = await #expect(throws: CumulusError.self) { try await Self.replay("/nonexistent.har").get() }
        #expect((error?.cause as? RecordingProblem)?.kind == .unreadable)
        #expect(error?.message.contains("the recording \"/nonexistent.har\": it can't be read: No such file") == true)
    }

    @Test("other code of the tree is the same: a replay matches through retries and redirects")
    func redirectsAndRetries() async throws {
        let (folder, file) = try Self.folder()
        let stub = StubTransport { routes in
            routes.on(.get, "/old", .status(.found, headers: ["Location": "/new?token=s3cret&a=1"]))
            routes.on(.get, "/new", .status(.serviceUnavailable), .text("here"))
        }
        func site(_ transport: any Transport) -> Resource {
            Resource("https://api.example", transport: transport) {
                $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero, cap: .zero))
            }
        }
        #expect(try await site(.recording(to: file, over: stub))["old"].get().text == "here")
        #expect(try await site(.replaying(from: file))["old"].get().text == "here")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("s3cret") && text.contains("token=redacted&a=1"))
        withExtendedLifetime(folder) {}
    }
}
