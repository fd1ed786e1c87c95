// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// HAR files as browsers and proxies write them, and malformed ones.
@Suite(.timeLimit(.minutes(10))) struct HARFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func site(_ har: String, at url: String = "https://shop.example") throws -> Resource {
        let file = try folder.write(har, to: "x.har")
        return Resource(url, transport: .replaying(from: file)) { $0.retry = .never }
    }

    /// A file with one entry of these members.
    private func har(_ request: String, _ response: String) -> String {
        #"{"log":{"entries":[{"request":{\#(request)},"response":{\#(response)}}]}}"#
    }

    private static let get = #""method":"GET","url":"https://shop.example/x""#

    // MARK: Browsers and proxies

    /// Chrome: pseudo-fields, cookies joined by line breaks, members with `_`, sizes of -1, a failed request.
    private static let chrome = #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[{"startedDateTime":
        "2026-11-20T10:00:00.000Z","id":"page_1","title":"https://shop.example/","pageTimings":{"onContentLoad":88.1}}],
        "entries":[
        {"_connectionId":"1","_initiator":{"type":"other"},"_priority":"VeryHigh","_resourceType":"document","cache":{},
         "connection":"443","pageref":"page_1","request":{"method":"GET","url":"https://shop.example/#top",
         "httpVersion":"http/2.0","headers":[{"name":":authority","value":"shop.example"},{"name":":method","value":
         "GET"},{"name":":path","value":"/"},{"name":"accept","value":"text/html"}],"queryString":[],"cookies":[],
         "headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","httpVersion":"http/2.0","headers":[
         {"name":":status","value":"200"},{"name":"content-encoding","value":"br"},{"name":"content-length","value":
         "31"},{"name":"content-type","value":"text/html; charset=ISO-8859-1"},{"name":"set-cookie","value":
         "a=1; Path=/\nb=2; Path=/"}],"cookies":[],"content":{"size":14,"mimeType":"text/html","text":"<p>Zürich</p>",
         "compression":-17},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":203,"_error":null},
         "serverIPAddress":"203.0.113.7","startedDateTime":"2026-11-20T10:00:00.012Z","time":-1,"timings":{"blocked":-1,
         "dns":-1,"ssl":-1,"connect":-1,"send":0.07,"wait":-2,"receive":0.5,"_blocked_queueing":1.2}},
        {"request":{"method":"GET","url":"https://shop.example/logo.png","httpVersion":"h3","headers":[],"queryString":
         [],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"h3",
         "headers":[{"name":"Content-Type","value":"image/png"}],"content":{"size":4,"mimeType":"image/png","text":
         "iVBORw==","encoding":"base64"},"redirectURL":"","headersSize":-1,"bodySize":-1}},
        {"request":{"method":"GET","url":"https://shop.example/blocked.js","headers":[]},"response":{"status":0,
         "statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{"size":0,"mimeType":"x-unknown"},
         "redirectURL":"","headersSize":-1,"bodySize":-1,"_error":"net::ERR_CONNECTION_REFUSED"}},
        {"request":{"method":"GET","url":"data:image/gif;base64,R0lG","headers":[]},"response":{"status":200,"headers":
         [],"content":{"size":3}}},
        {"_webSocketMessages":[],"request":{"method":"GET","url":"wss://shop.example/live","headers":[]},"response":
         {"status":101,"headers":[],"content":{"size":0}}},
        {"request":{"method":"GET","url":"https://shop.example/cached.css","headers":[]},"response":{"status":200,
         "headers":[],"content":{"size":1234,"mimeType":"text/css"}}}]}}
        """#

    @Test func filesOfChromeLoad() async throws {
        let site = try site(Self.chrome)
        let page = try await site.get()
        #expect(page.text == "<p>Zürich</p>" && page.headers[.contentEncoding] == nil)
        #expect(page.headers[values: .setCookie] == ["a=1; Path=/", "b=2; Path=/"])
        #expect(try await site["logo.png"].get().bytes.bytes == [0x89, 0x50, 0x4E, 0x47])
        let refused = await #expect(throws: CumulusError.self) { try await site["blocked.js"].get() }
        #expect(refused?.code == .connect)
        let cached = await #expect(throws: CumulusError.self) { try await site["cached.css"].get() }
        #expect((cached?.cause as? RecordingProblem)?.kind == .missingBody)
        #expect(cached?.message.contains("the recording contains only its size, 1234 bytes") == true)
        await #expect(throws: CumulusError.self) { try await site["live"].get() }
    }

    /// Charles: a byte order mark, numbers as strings, comments, a tunnel, base64 with line breaks, no `content`.
    private static let charles =
        "\u{FEFF}" + #"""
            {"log":{"comment":"","creator":{"comment":"","name":"Charles Proxy","version":"4.6.4"},"version":"1.2","entries":[
            {"startedDateTime":"2026-11-20T11:00:00.000+01:00","time":"41","request":{"method":"CONNECT","url":
             "https://shop.example","headers":[]},"response":{"_charlesStatus":"COMPLETE","status":200,"headers":[]}},
            {"comment":"mine","request":{"method":"POST","url":"https://shop.example:443/cart?x=1","httpVersion":"HTTP/1.1",
             "headers":[{"name":"Content-Type","value":"application/x-www-form-urlencoded"},{"name":"Content-Length",
             "value":9,"comment":""}],"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a",
             "value":"1"}],"text":"a=1"},"bodySize":"9"},"response":{"_charlesStatus":"COMPLETE","status":"201",
             "statusText":"Created","protocolVersion":"HTTP/1.1","headers":[{"name":"Content-Type","value":
             "application/octet-stream"}],"content":{"size":"3","mimeType":"application/octet-stream","text":"AQ\nID",
             "encoding":"base64","comment":null},"bodySize":"-1"},"timings":{"send":"1","wait":"-5","receive":"3"}},
            {"request":{"method":"DELETE","url":"https://shop.example/cart","headers":null},"response":{"status":204.0}}]}}
            """#

    @Test func filesOfCharlesLoad() async throws {
        let site = try site(Self.charles)
        let made = try await site["cart"].post(.form(["a": "1"]), query: ["x": "1"])
        #expect(made.statusCode == 201 && made.bytes.bytes == [1, 2, 3])
        #expect(try await site["cart"].delete().statusCode == 204)
    }

    @Test("a member that isn't needed may be missing, or null") func smallestEntry() async throws {
        let response = try await site(har(Self.get, #""status":200"#))["x"].get()
        #expect(response.statusCode == 200 && response.bytes.isEmpty && response.headers.isEmpty)
    }

    // MARK: Malformed files

    static let malformed: [(har: String, jsonPath: String, reason: String)] = [
        ("", "$", "it is not valid JSON"),
        (#"{"log":{"entries":["#, "$", "it is not valid JSON"),
        ("[]", "$", "expected an object, found an array"),
        ("{}", "$", "the member \"log\" is missing"),
        (#"{"log":{"entries":{}}}"#, "$.log.entries", "expected an array, found an object"),
        (#"{"log":{}}"#, "$.log", "the member \"entries\" is missing"),
        (#"{"log":{"entries":[7]}}"#, "$.log.entries[0]", "expected an object, found the number 7"),
        (#"{"log":{"entries":[{}]}}"#, "$.log.entries[0]", "the member \"request\" is missing"),
        (
            #"{"log":{"entries":[{"request":{"method":"GET"}}]}}"#, "$.log.entries[0].request",
            "the member \"url\" is missing"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get),"headers":[{"value":"x"}]}}]}}"#,
            "$.log.entries[0].request.headers[0]", "the member \"name\" is missing"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":"ok"}}]}}"#,
            "$.log.entries[0].response.status", "expected a whole number, found the string \"ok\""
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":1e9}}]}}"#,
            "$.log.entries[0].response.status", "1000000000 is not a status code"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":20}}]}}"#,
            "$.log.entries[0].response.status", "20 is not a status code"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":200,"content":{"text":"?","encoding":"base64"}}}]}}"#,
            "$.log.entries[0].response.content.text", "the text is not base64"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":200,"content":{"text":"","encoding":"rot13"}}}]}}"#,
            "$.log.entries[0].response.content.encoding", "the encoding must be base64"
        ),
        (
            #"{"log":{"entries":[{"request":{\#(get)},"response":{"status":200,"content":{"_file":"../../etc/passwd"}}}]}}"#,
            "$.log.entries[0].response.content._file", "it is not the name of a body's file"
        ),
    ]

    @Test("a malformed file is reported with the place", arguments: malformed)
    func malformedFiles(_ har: String, _ jsonPath: String, _ reason: String) async throws {
        let site = try site(har)
        let error = await #expect(throws: CumulusError.self) { try await site["x"].get() }
        let problem = try #require(error?.cause as? RecordingProblem)
        #expect(problem.kind == .malformed && problem.jsonPath == jsonPath, "\(problem)")
        #expect(problem.description.contains(" at \(jsonPath): \(reason)"), "\(problem)")
    }

    @Test("a body's file that is a link is not followed") func linksAreNotFollowed() async throws {
        let name = String(repeating: "a", count: 64)
        _ = try folder.write("secret", to: "other")
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/x.har.bodies",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/x.har.bodies/\(name)",
            withDestinationPath: "\(folder.path)/other"
        )
        let site = try site(har(Self.get, #""status":200,"content":{"_file":"\#(name)"}"#))
        let error = await #expect(throws: CumulusError.self) { try await site["x"].get() }
        #expect((error?.cause as? RecordingProblem)?.kind == .unreadable)
    }

    @Test func tooLongFileIsRefused() async throws {
        let file = try folder.write("{}", to: "long.har")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.truncate(atOffset: 64 << 20 + 1)
        try handle.close()
        let site = Resource("https://shop.example", transport: .replaying(from: file))
        let error = await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(error?.message.contains("is longer than 64 MiB") == true)
    }
}
