// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache

/// Stored responses with a content coding, of servers that omit `Vary`.
@Suite(.timeLimit(.minutes(10))) struct CodedResponseTests {
    /// `gzip -n` of "hello".
    private static let coded: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    private func site() -> CachedSite {
        CachedSite { request in
            var headers: Headers = [.cacheControl: "max-age=60", .eTag: "\"\(request.number)\""]
            guard request.headers[.acceptEncoding]?.contains("gzip") == true else {
                return .response(headers: headers, body: Array("hello".utf8))
            }
            headers[.contentEncoding] = "gzip"
            return .response(headers: headers, body: Self.coded)
        }
    }

    @Test("a download does not get the encoded response that a GET has stored") func download() async throws {
        let (site, folder) = (site(), try TemporaryFolder())
        #expect(try await site.get().text == "hello")
        #expect(try await site.get().note == "hit; ttl=60")
        let file = try await site.site["x"].download(to: .file(folder.path + "/x"))
        #expect(file.byteCount == 5 && site.count == 2)
    }

    @Test("a request without an accepted coding asks the server, without the other one's tag") func identity()
        async throws
    {
        let site = site()
        _ = try await site.get()
        let plain = try await site.get([.acceptEncoding: "identity"])
        #expect(plain.text == "hello" && plain.note == "fwd=vary-miss; stored")
        #expect(site.transport.lastRequest?.headers[.ifNoneMatch] == nil)
        // The response without a coding fits both.
        #expect(try await site.get().note == "hit; ttl=60" && site.count == 2)
    }
}
