// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import CumulusTestServer
import Foundation
import Testing

/// The routes of the predecessors' own test services, requested by a client as theirs did.
@Suite(.timeLimit(.minutes(10))) struct PracticeServiceTests {
    private func withService(_ body: (Resource, PracticeService) async throws -> Void) async throws {
        let service = PracticeService(massiveSize: 100_000)
        try await withLoopbackServer {
            service.install(in: &$0)
        } _: { server in
            try await body(Resource(server.url) { $0.coders.registerFormats() }, service)
        }
    }

    @Test("items, lists and echoes")
    func items() async throws {
        try await withService { site, _ in
            try await holds(site["index"].delete().text == "OK")
            let test = site["test"]
            try await holds(test["get/item"].get(as: JSON.self) == ["message": "OK"])
            try await holds(test["get/large-list"].get(as: [JSON].self).count == 10_000)
            try await holds(test["get/complicated-list"].get(as: [JSON].self).count == 100)
            try await holds(test["head/list"].head().isSuccessful)
            try await holds(test["delete/item"].delete(as: JSON.self) == ["message": "OK"])
            try await holds(test["post/item"].post(["a": "b"], as: JSON.self) == ["a": "b"])
            try await holds(test["put/list"].put(["a"], as: JSON.self) == ["a"])
            try await holds(site["echo"].put(body: "hi").text == "hi")
            let echo = try await test["echo"].get(query: ["code": 418, "content": "tea", "header": "X-A:b"])
            #expect(echo.status.code == 418 && echo.text == "tea" && echo.header("X-A") == "b")
            try await holds(test["query"].get(as: JSON.self, query: ["a": "\"1\""]) == ["a": "\"1\""])
            try await holds(test["hello"].get().text == "Hello World")
            try await holds(test["dumpmeta"].get(as: JSON.self)["REQUEST_METHOD"].string == "GET")
            try await holds(test["benchmarks/small-resource.json"].put(as: JSON.self) == ["message": "OK"])
        }
    }

    @Test("every status, by number and by name")
    func statuses() async throws {
        try await withService { site, _ in
            for code in [200, 204, 304, 404, 417, 505, 599] {
                try await holds(site["test/response_codes"][code].get().status.code == code)
            }
            try await holds(site["test/response_codes/not_found"].get().status.code == 404)
        }
    }

    @Test("bodies by their type, and by the extension if the type is wrong")
    func codings() async throws {
        try await withService { site, _ in
            let decoding = site["test/decoding"]
            for format in ["json", "plist", "xml"] {
                #expect(
                    try await decoding[segment: format]["content-type"].get(as: [String: String].self) == [
                        "message": "OK"
                    ]
                )
                let odd = decoding["\(format)/wrong-content-type.\(format)"]
                try await holds(odd.get(as: [String: String].self) == ["message": "OK"])
            }
            try await holds(decoding["text/content-type"].get(as: String.self) == "OK")
            try await holds(decoding["image/content-type.png"].get(as: EncodedImage.self).format == .png)
            try await holds(site["test/encoding.json"].put(["a": 1], as: [String: Int].self) == ["a": 1])
        }
    }

    @Test("protected places, with Basic and with Digest")
    func proof() async throws {
        try await withService { site, _ in
            let place = site["test/protected"]
            try await holds(place.get().header("WWW-Authenticate") == "Basic realm=\"Testing HTTP Auth\"")
            let long = String(repeating: "0123456789abcdef", count: 8)
            for word in ["test", long] {
                let known = place.with { $0.credentials = .init(user: word, password: Secret(word)) }
                try await holds(known.get().isSuccessful)
            }
            let basic = site["test/hello_with_basic_auth"].with {
                $0.credentials = .init(user: "test", password: "12345")
            }
            try await holds(basic.get().text == "Hello World")
            let digest = site["test/hello_with_digest_auth"]
            try await holds(digest.get().header("WWW-Authenticate")?.hasPrefix("Digest ") == true)
            // RFC 7616 section 3.4.1, computed separately.
            let answer = PracticeServiceTests.digest
            try await holds(digest.get(headers: ["Authorization": answer]).text == "Hello World")
        }
    }

    @Test("files up and down, whole, in ranges, and changed in the meantime")
    func files() async throws {
        try await withService { site, service in
            try await holds(site["test/upload/hero"].put(.bytes(service.hero)).isSuccessful)
            try await holds(site["test/upload/hero"].put(.bytes([1] as [UInt8])).status.code == 400)
            try await holds(site["test/stream/massive"].get().bytes.bytes == service.massive)
            #expect(
                try await site["test/download/hero"].get().header("Content-Disposition")?.contains("hero.png") == true
            )
            let massive = site["test/download/massive"]
            let part = try await massive.get(headers: ["Range": "bytes=10-19"])
            #expect(part.status.code == 206 && part.bytes.bytes == Array(service.massive[10...19]))
            for kind in ["etag/notmodified", "date/notmodified"] {
                try await holds(massive[path: kind].get(headers: ["Range": "bytes=5-"]).status.code == 206)
            }
            let stale = try await massive["etag/notmodified"].get(headers: ["Range": "bytes=5-", "If-Range": "\"x\""])
            #expect(stale.status.code == 400)
            try await holds(massive["date/modified"].get(headers: ["Range": "bytes=5-"]).status.code == 200)
            try await holds(massive["resume/fail"].get(headers: ["Range": "bytes=5-"]).status.code == 500)
            try await holds(site["test/download/fail"].head().status.code == 400)
            try await holds(site["resources/hero.png"].get().bytes.bytes == service.hero)
            let since = try await site["test/last-modified"].get().header("Last-Modified") ?? ""
            try await holds(site["test/if-modified/not"].get(headers: ["If-Modified-Since": since]).isNotModified)
        }
    }

    private static let digest = """
        Digest username="test", realm="test", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
        uri="/test/hello_with_digest_auth", cnonce="c", nc=00000001, qop=auth, \
        response="e0d449840aba1c92568a7c1d25725762", algorithm=MD5
        """
}
