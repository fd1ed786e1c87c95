// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Calls whose output a function converts.
@Suite struct MappedCallTests {
    private struct Picture: Sendable, Equatable {
        struct Broken: Error {}
        var pixels: Int

        init(_ data: Data) throws {
            if data.isEmpty { throw Broken() }
            pixels = data.count
        }
    }

    private let transport = StubTransport { request in
        switch request.path {
        case "/pictures/missing": .text("no", status: .notFound)
        case "/pictures/empty": .response()
        default: .response(body: [UInt8](repeating: 7, count: request.body.isEmpty ? 4 : request.body.count))
        }
    }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    @Test("raw data becomes a custom type, however the call is sent")
    func values() async throws {
        let picture = site["pictures/abc123"].call(.get, as: Data.self).map { data in try Picture(data) }
        #expect(try await picture.send().pixels == 4)
        #expect(try await picture.start().value.pixels == 4)
        let posted = site["pictures/new"].call(.post, .text("12345678"), as: Data.self).map { data in try Picture(data)
        }
        #expect(try await posted.send().pixels == 8)
    }

    @Test("what is changed after the conversion is sent, too")
    func changed() async throws {
        var call = site["pictures"].call(.get, as: Data.self).map(\.count).map { "\($0) bytes" }
        call.query["page"] = 2
        call.headers["X-Trace"] = "1"
        #expect(try await call.with { $0.headers["X-Own"] = "a" }.send() == "4 bytes")
        let sent = try #require(transport.lastRequest)
        #expect(sent.request.target == "/pictures?page=2")
        #expect(sent.headers["X-Trace"] == "1" && sent.headers["X-Own"] == "a")
        #expect(sent.headers[.accept] != nil, "of the type that is decoded")
        #expect(try await call.curl().contains("page=2"))
    }

    @Test("a conversion comes after the post-processors of the settings")
    func afterPostProcessors() async throws {
        let site = site
        site.setRules { $0.postProcessors = [{ value, _ in (value as? Data).map { $0 + [1] } ?? value }] }
        #expect(try await site["pictures/a"].call(.get, as: Data.self).map(\.count).send() == 5)
    }

    @Test("a conversion's own error, and a status, fail the call")
    func failures() async throws {
        let picture = { (name: String) in
            site["pictures"][segment: name].call(.get, as: Data.self).map { data in try Picture(data) }
        }
        await #expect(throws: Picture.Broken.self) { try await picture("empty").send() }
        #expect(try await failure { try await picture("missing").send() }.code == .status)
    }

    @Test("a converted call is neither streamed nor downloaded, which would drop the conversion")
    func noBody() async throws {
        let call = site["pictures/a"].call(.get).map { response in response }
        #expect(try await failure { try await call.stream() }.code == .invalidRequest)
        let file = call.download(to: .temporary)
        #expect(try await failure { try await file.send() }.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test("a call that can't be made throws its error, however it is sent")
    func failing() async throws {
        struct Missing: Error {}
        let call = Call<Response>.failing(Missing())
        await #expect(throws: Missing.self) { try await call.send() }
        await #expect(throws: Missing.self) { try await call.stream() }
        await #expect(throws: Missing.self) { try await call.encoded() }
        await #expect(throws: Missing.self) { try await call.map(\.statusCode).start().value }
        await #expect(throws: Missing.self) { try await call.download(to: .temporary).send() }
        await #expect(throws: Missing.self) { try await call.with { $0.timeout = nil }.send() }
    }

    @Test("a download is a GET")
    func downloads() async throws {
        let call = site["pictures/a"].call(.post).download(to: .temporary)
        let error = try await failure { try await call.send() }
        #expect(error.code == .invalidRequest && error.message.contains("POST"))
        var other = call
        other.method = .get
        #expect(try await other.send().byteCount == 4)
    }
}
