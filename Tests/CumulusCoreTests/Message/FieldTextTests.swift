// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Field values that aren't UTF-8, as old servers send them: addresses keep their bytes.
@Suite struct FieldTextTests {
    /// Answers with fields of any bytes.
    private struct ByteTransport: Transport {
        let capabilities = TransportCapabilities()
        let answer: @Sendable (TransportRequest) -> [(HTTPField.Name, [UInt8])]

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var fields = HTTPFields()
            for (name, value) in answer(request) { fields.append(HTTPField(name: name, lenientValue: value)) }
            let status: HTTPResponse.Status = fields[.location] == nil ? .ok : .found
            let text = ByteChunk(request.target)
            return TransportResponse(
                head: ResponseHead(status: status, headers: fields),
                body: ResponseBody(complete: text)
            )
        }
    }

    private static let latin: [UInt8] = Array("/caf".utf8) + [0xE9] + Array("?q=a b".utf8)

    @Test("an address keeps valid UTF-8, and has other bytes percent-encoded as they are")
    func addresses() {
        #expect(FieldText("/caf\u{E9}").address == "/caf\u{E9}")
        #expect(FieldText(Self.latin).address == "/caf%E9?q=a b")
        #expect(FieldText([0xC3, 0xA9, 0xFF, 0x25, 0x41]).address == "%C3%A9%FF%A")
        #expect(FieldText([UInt8]()).address == "")
    }

    @Test("a Location in Latin-1 leads where other clients go")
    func locations() async throws {
        let transport = ByteTransport { $0.target == "/start" ? [(.location, Self.latin)] : [] }
        let response = try await Resource("http://a.example", transport: transport.watched)["start"].get()
        #expect(response.text == "/caf%E9?q=a%20b")
    }

    @Test("two Locations that differ in a byte that isn't UTF-8 are several")
    func severalLocations() async throws {
        let transport = ByteTransport { _ in [(.location, [0x2F, 0xE9]), (.location, [0x2F, 0xE8])] }
        let error = try await #require(throws: CumulusError.self) {
            try await Resource("http://a.example", transport: transport.watched).get()
        }
        #expect(error.code == .redirectRefused)
    }

    @Test("a Link in Latin-1 leads where other clients go")
    func links() async throws {
        var field = Array("<".utf8) + Self.latin
        field += Array(">; rel=next; title=\"".utf8)
        field += [0xE9, UInt8(ascii: "\"")]
        let name = try #require(HTTPField.Name("Link"))
        let transport = ByteTransport { [field] _ in [(name, field)] }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        let link = try #require(response.links["next"])
        #expect(link.url?.target == "/caf%E9?q=a%20b")
        #expect(link.title == "\u{FFFD}")
    }
}
