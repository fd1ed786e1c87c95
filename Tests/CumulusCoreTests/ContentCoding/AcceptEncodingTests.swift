// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Which codings are requested.
@Suite struct AcceptEncodingTests {
    private let transport = StubTransport { _ in
        .response(headers: [.contentEncoding: "gzip"], body: CodedSample.gzip)
    }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    private var sent: String? { transport.lastRequest?.request.headers[.acceptEncoding] }

    @Test func gzipAndDeflateAreAskedFor() async throws {
        try await site.get().requireSuccess()
        #expect(sent == "gzip, deflate")
    }

    @Test("The caller's own field is sent, and the response is decoded anyway")
    func theCallersOwnIsSent() async throws {
        let own = try await site.get(headers: [.acceptEncoding: "gzip"])
        #expect(sent == "gzip" && own.text == CodedSample.text)
        let masked = try await site.get(headers: [.acceptEncoding: nil])
        #expect(sent == nil && masked.text == CodedSample.text)
        let site = site
        site.setRules { $0.headers[.acceptEncoding] = "identity" }
        try await site["x"].get().requireSuccess()
        #expect(sent == "identity")
    }

    @Test func optingOutLeavesEverythingAsItComes() async throws {
        let site = site
        site.setRules { $0.contentCodings = [] }
        let response = try await site["x"].get()
        #expect(sent == nil)
        #expect(response.bytes.bytes == CodedSample.gzip)
        #expect(response.headers[.contentEncoding] == "gzip")
        let coded = site["y"]
        coded.setRules { $0.contentCodings = [.gzip, .deflate] }
        #expect(try await coded.get().text == CodedSample.text)
    }

    @Test("A part of an encoded body can't be decoded, so no coding is requested")
    func rangesAreNotAskedForCoded() async throws {
        try await site.get(headers: [.range: "bytes=0-9"]).requireSuccess()
        #expect(sent == nil)
        let site = site
        site.setRules { $0.headers[.range] = "bytes=10-" }
        try await site.get().requireSuccess()
        #expect(sent == nil)
        try await site.get(headers: [.acceptEncoding: "gzip"]).requireSuccess()
        #expect(sent == "gzip")
    }

    @Test func aTransportThatDecodesIsLeftAlone() async throws {
        var capabilities = TransportCapabilities()
        capabilities.decodesContent = true
        let transport = StubTransport(capabilities: capabilities) { _ in
            .script([.chunk([1, 2])], headers: [.contentEncoding: "gzip"])
        }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        #expect(response.bytes.bytes == [1, 2])
        #expect(transport.lastRequest?.request.headers[.acceptEncoding] == nil)
    }

    @Test func curlUndoesThemToo() async throws {
        #expect(
            try await site.call(.get).curl()
                == "curl --compressed http://a.example/ -H 'User-Agent: Cumulus/0.1' -H 'Accept-Encoding: gzip, deflate' "
                + "-H Accept:"
        )
    }
}
