// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Uploads.
@Suite struct UploadTests {
    private struct Answer: Codable, Equatable { var id: Int }

    private func site(_ answer: StubResponse = .text("ok")) -> (StubTransport, Resource) {
        let transport = StubTransport(answering: { _ in answer })
        return (transport, Resource("http://a.example", transport: transport.watched))
    }

    private func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

    @Test("a file is put, anything else is posted, unless a method is given") func methods() async throws {
        let (transport, site) = site()
        let file = try TemporaryFile([1, 2, 3], named: "photo.PNG")
        let url = URL(fileURLWithPath: file.path)
        try await site["a"].put(.file(url)).requireSuccess()
        #expect(transport.lastRequest?.method == .put && transport.lastRequest?.body == [1, 2, 3])
        #expect(transport.lastRequest?.headers[.contentType] == "image/png")
        try await site["a"].post(.bytes([4])).requireSuccess()
        #expect(transport.lastRequest?.method == .post && transport.lastRequest?.body == [4])
        try await site["a"].put(.file(url)).requireSuccess()
        #expect(transport.lastRequest?.method == .put)
        try await site["a"].post(.file(url)).requireSuccess()
        #expect(transport.lastRequest?.method == .post)
    }

    @Test("a file's extension overrides an inherited type, the request's own both") func types()
        async throws
    {
        let (transport, site) = site()
        site.setRules { $0.headers[.contentType] = "application/x-inherited" }
        let file = try TemporaryFile([1], named: "a.json")
        let unknown = try TemporaryFile([1], named: "a.unheardof")
        func sent(_ path: String, headers: Headers = [:], type: MediaType? = nil) async throws -> String? {
            try await site.put(.file(URL(fileURLWithPath: path), type: type), headers: headers).requireSuccess()
            return transport.lastRequest?.headers[.contentType]
        }
        #expect(try await sent(file.path) == "application/json")
        #expect(try await sent(unknown.path) == "application/x-inherited")
        #expect(try await sent(file.path, type: MediaType("text", "csv")) == "text/csv")
        #expect(try await sent(file.path, headers: [.contentType: "a/b"], type: .text) == "a/b")
        site.setRules { $0.inherit(\.headers) }
        #expect(try await sent(unknown.path) == "application/octet-stream")
    }

    @Test("an impossible payload is reported before sending", arguments: ["missing", "folder", "pipe", "url", "nul"])
    func refusals(_ kind: String) async throws {
        let (transport, site) = site()
        let folder = try TemporaryFolder()
        let (url, expected): (URL, UploadProblem.Kind) =
            switch kind {
            case "missing": (URL(fileURLWithPath: "\(folder.path)/nothing"), .missing)
            case "folder": (URL(fileURLWithPath: folder.path), .notPlain)
            case "pipe": (URL(fileURLWithPath: "\(folder.path)/pipe"), .notPlain)
            case "nul": (URL(fileURLWithPath: "/tmp/a\u{0}b"), .unreadable)
            default: (try #require(URL(string: "https://a.example/x")), .notPlain)
            }
        if kind == "pipe" { #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0) }
        let error = try await failure { try await site["x"].put(.file(url)) }
        #expect(error.code == .encoding && error.stage == .encoding)
        let problem = error.cause as? UploadProblem
        // Foundation truncates a path at a NUL before it gets here.
        if kind == "nul" { #expect(problem != nil) } else { #expect(problem?.kind == expected) }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a file with bytes but no size, as the kernel's are, is reported instead of sent empty",
        .enabled(if: access("/proc/version", R_OK) == 0)
    )
    func kernelFile() async throws {
        let (transport, site) = site()
        let error = try await failure { try await site["x"].put(.file(URL(fileURLWithPath: "/proc/version"))) }
        #expect((error.cause as? UploadProblem)?.kind == .notPlain && error.message.contains("no size"), "\(error)")
        #expect(transport.requests.isEmpty)
    }

    @Test("an unreadable file is reported before anything is sent") func unreadable() async throws {
        let (transport, site) = site()
        let file = try TemporaryFile([1])
        #expect(chmod(file.path, 0) == 0)
        // For root, permissions have no effect.
        guard geteuid() != 0 else { return }
        let error = try await failure { try await site.put(.file(URL(fileURLWithPath: file.path))) }
        #expect((error.cause as? UploadProblem)?.kind == .unreadable)
        #expect(transport.requests.isEmpty)
    }

    @Test("progress counts the sent body's bytes that the transport took") func progress() async throws {
        let (_, site) = site(.script([.chunk([1, 2])]))
        let file = try TemporaryFile(sample(1_000_000))
        let events = Mutex<[TransferProgress]>([])
        let watched = site["x"].with { settings in
            settings.observers.append(
                .progress { event in
                    if event.direction == .sending { events.withLock { $0.append(event) } }
                }
            )
        }
        let answer = try await watched.put(.file(URL(fileURLWithPath: file.path)))
        #expect(answer.bytes.bytes == [1, 2])
        let seen = events.withLock(\.self)
        #expect(seen.allSatisfy { $0.direction == .sending && $0.file == file.path && $0.total == 1_000_000 })
        #expect(seen.first?.completed == 0 && seen.last?.isFinished == true && seen.last?.completed == 1_000_000)
    }

    @Test("a response is decoded, and an upload can be sent again") func forms() async throws {
        let (transport, site) = site(.json("{\"id\":7}"))
        let file = try TemporaryFile(sample(300_000))
        let url = URL(fileURLWithPath: file.path)
        #expect(try await site.put(.file(url), as: Answer.self) == Answer(id: 7))
        let prepared = site.call(.put, .file(url), as: Answer.self)
        let handle = prepared.start()
        #expect(try await handle.value == Answer(id: 7))
        #expect(try await prepared.send() == Answer(id: 7))
        #expect(transport.requests.count == 3)
        #expect(transport.requests.allSatisfy { $0.body == self.sample(300_000) })
        var last: TransferProgress?
        for await event in handle.progress { last = event }
        #expect(last?.direction == .receiving && last?.isFinished == true)
    }

    @Test("a stream is sent as it arrives, chunked without its length") func streams() async throws {
        let (transport, site) = site()
        let (chunks, feed) = AsyncStream.makeStream(of: [UInt8].self)
        feed.yield([1, 2])
        feed.yield([3])
        feed.finish()
        try await site.post(.stream(chunks, length: 3)).requireSuccess()
        #expect(transport.lastRequest?.body == [1, 2, 3])
    }

    @Test("a redirect and a repeated attempt open the file again") func again() async throws {
        let file = try TemporaryFile(sample(500_000))
        let transport = StubTransport { routes in
            routes.on(.put, "/old") { _ in .response(.temporaryRedirect, headers: [.location: "/new"]) }
            routes.on(.put, "/new") { _ in .text("there") }
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.observers = [.progress { _ in }] }
        let answer = try await site["old"].put(.file(URL(fileURLWithPath: file.path)))
        #expect(answer.history.count == 1)
        #expect(transport.requests.map(\.body.count) == [500_000, 500_000])
    }

    @Test("a file that changes its size is never sent whole", arguments: [-1, 1]) func changes(_ by: Int) async throws {
        let bytes = sample(1_000_000)
        let file = try TemporaryFile(bytes)
        let body = FileBody(path: file.path, length: 1_000_000, wholeLength: 1_000_000)
        let sent = Mutex(0)
        let error = await #expect(throws: UploadProblem.self) {
            try await FilePieces(body).write(
                from: 0,
                to: BodyWriter { chunk in
                    sent.withLock { $0 += chunk.count }
                    try file.write(self.sample(1_000_000 + by))
                }
            )
        }
        #expect(error?.kind == .changed && error?.path == file.path)
        #expect(sent.withLock(\.self) < 1_000_000)
    }
}
