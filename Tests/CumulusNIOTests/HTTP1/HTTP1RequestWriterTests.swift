// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct HTTP1RequestWriterTests {
    private func head(
        _ method: String = "GET",
        _ target: String = "/",
        host: String = "example.com",
        fields: HTTPFields = [:],
        body: HTTP1RequestWriter.BodyLength = .none
    ) -> HTTP1RequestWriter.Head {
        HTTP1RequestWriter.Head(method: method, target: target, host: host, fields: fields, body: body)
    }

    private func written(_ head: HTTP1RequestWriter.Head) throws(HTTP1RequestError) -> String {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer()
        _ = try writer.writeHead(head, into: &buffer)
        return String(buffer: buffer)
    }

    @Test func writesHostFirstAndTheFieldsInTheirOrder() throws {
        var fields = HTTPFields()
        fields[.userAgent] = "Atlas/2.1"
        fields[.accept] = "*/*"
        #expect(
            try written(head("GET", "/a?b=c", fields: fields))
                == "GET /a?b=c HTTP/1.1\r\nHost: example.com\r\nUser-Agent: Atlas/2.1\r\nAccept: */*\r\n\r\n"
        )
    }

    @Test(arguments: [
        ("GET", HTTP1RequestWriter.BodyLength.none, ""),
        ("DELETE", .none, ""),
        ("POST", .none, "Content-Length: 0\r\n"),
        ("PUT", .none, "Content-Length: 0\r\n"),
        ("PATCH", .none, "Content-Length: 0\r\n"),
        ("GET", .fixed(0), "Content-Length: 0\r\n"),
        ("POST", .fixed(12), "Content-Length: 12\r\n"),
        ("POST", .unknown, "Transfer-Encoding: chunked\r\n"),
    ])
    func framesTheBody(_ method: String, _ body: HTTP1RequestWriter.BodyLength, _ line: String) throws {
        #expect(
            try written(head(method, body: body)) == "\(method) / HTTP/1.1\r\nHost: example.com\r\n\(line)\r\n"
        )
    }

    @Test(arguments: [
        (HTTP1RequestWriter.TargetForm.origin, "/a?b", "GET /a?b HTTP/1.1"),
        (.absolute, "/a?b", "GET http://example.com/a?b HTTP/1.1"),
        (.absolute, "*", "GET http://example.com HTTP/1.1"),
    ])
    func namesTheTargetInAForm(_ form: HTTP1RequestWriter.TargetForm, _ target: String, _ line: String) throws {
        var head = head("GET", target)
        head.form = form
        #expect(try written(head) == "\(line)\r\nHost: example.com\r\n\r\n")
    }

    @Test(arguments: [
        (Origin(scheme: .https, host: "a.example"), "a.example:443"), (Origin(scheme: .http, host: "a"), "a:80"),
        (Origin(scheme: .https, host: "[::1]", port: 8_443), "[::1]:8443"),
    ])
    func asksForATunnelAlwaysWithThePort(_ origin: Origin, _ place: String) throws {
        let head = HTTP1RequestWriter.Head.connect(host: origin.host, port: origin.port)
        #expect(try written(head) == "CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
    }

    @Test("an ambiguous host is not sent to a proxy")
    func checksTheHostInEachForm() throws {
        for form in [HTTP1RequestWriter.TargetForm.absolute, .authority] {
            for host in ["", "a b", "a\r\nX: y", "user@a", "a/b"] {
                var head = head(host: host)
                head.form = form
                #expect(throws: HTTP1RequestError.malformedHost) { try written(head) }
            }
        }
        var head = head("GET", "/a b")
        head.form = .absolute
        #expect(throws: HTTP1RequestError.malformedTarget) { try written(head) }
    }

    @Test(
        "an ambiguous method, target or host is refused",
        arguments: [
            ("GET /x HTTP/1.1\r\nA: b", "/", "a", HTTP1RequestError.malformedMethod),
            ("", "/", "a", .malformedMethod),
            ("G ET", "/", "a", .malformedMethod),
            ("GET", "", "a", .malformedTarget),
            ("GET", "/a b", "a", .malformedTarget),
            ("GET", "/a\r\nX: y", "a", .malformedTarget),
            ("GET", "/a\nb", "a", .malformedTarget),
            ("GET", "/a\0", "a", .malformedTarget),
            ("GET", "/\u{e4}", "a", .malformedTarget),
            ("GET", "/a#b", "a", .malformedTarget),
            ("GET", "/", "", .malformedHost),
            ("GET", "/", "a\r\nX: y", .malformedHost),
            ("GET", "/", "a b", .malformedHost),
            ("GET", "/", "user@a", .malformedHost),
            ("GET", "/", "a/b", .malformedHost),
        ]
    )
    func refusesInjection(_ method: String, _ target: String, _ host: String, _ error: HTTP1RequestError) {
        #expect(throws: error) { try written(head(method, target, host: host)) }
    }

    @Test(
        "a value with a control character or with white space at its ends is refused",
        arguments: ["a\r\nX: y", "a\rb", "a\nb", "a\0b", "a\u{1b}b", "a\u{7f}b", "a\r\n b"]
    )
    func refusesValues(_ value: String) throws {
        let name = try #require(HTTPField.Name("X-Test"))
        // HTTPTypes itself replaces line ends with spaces; the writer sees the result.
        let field = HTTPField(name: name, lenientValue: [UInt8](value.utf8))
        let kept = field.withUnsafeBytesOfValue { [UInt8]($0) }
        var fields = HTTPFields()
        fields.append(field)
        if kept.allSatisfy(HTTP1Syntax.isFieldText) {
            #expect(try !written(head(fields: fields)).contains("\r\nX: y"))
        } else {
            #expect(throws: HTTP1RequestError.malformedFieldValue(name: "X-Test")) {
                try written(head(fields: fields))
            }
        }
    }

    @Test(
        "fields that contradict the framing are refused",
        arguments: [
            ("Content-Length", "5", HTTP1RequestWriter.BodyLength.none),
            ("Content-Length", "5", .fixed(4)),
            ("Content-Length", "+4", .fixed(4)),
            ("Content-Length", "4", .unknown),
            ("Transfer-Encoding", "chunked", .fixed(4)),
            ("Transfer-Encoding", "chunked", .none),
            ("Transfer-Encoding", "gzip, chunked", .unknown),
            ("Connection", "host", .none),
            ("Connection", "close, content-length", .none),
            ("Connection", "close content-length", .none),
            ("Connection", "close; x", .none),
            ("Connection", "close\u{301}", .none),
        ]
    )
    func refusesConflicts(_ name: String, _ value: String, _ body: HTTP1RequestWriter.BodyLength) throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        #expect(throws: HTTP1RequestError.conflictingField(name: name)) {
            try written(head("POST", fields: fields, body: body))
        }
    }

    @Test("fields that repeat the framing are sent once")
    func mergesRepeats() throws {
        var fields = HTTPFields()
        fields[.contentLength] = "4"
        #expect(
            try written(head("POST", fields: fields, body: .fixed(4)))
                == "POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: 4\r\n\r\n"
        )
    }

    @Test(
        "one Host of the caller's own replaces the default",
        arguments: ["a.example", "A_b-c.example:8080", "127.0.0.1", "[::1]:1", "localhost:65535", "example.com"]
    )
    func ownHost(_ host: String) throws {
        var fields = HTTPFields()
        fields[.accept] = "*/*"
        fields.append(HTTPField(name: try #require(HTTPField.Name("hOsT")), value: host))
        fields[.range] = "bytes=0-1"
        #expect(
            try written(head(fields: fields))
                == "GET / HTTP/1.1\r\nHost: \(host)\r\nAccept: */*\r\nRange: bytes=0-1\r\n\r\n"
        )
    }

    @Test("two hosts are refused, even the same one twice", arguments: ["a.example", "example.com"])
    func twoHosts(_ host: String) throws {
        let name = try #require(HTTPField.Name("Host"))
        let fields = HTTPFields([HTTPField(name: name, value: "example.com"), HTTPField(name: name, value: host)])
        #expect(throws: HTTP1RequestError.conflictingField(name: "Host")) { try written(head(fields: fields)) }
    }

    @Test func tellsWhatTheFieldsSayAboutTheConnection() throws {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer()
        var fields = HTTPFields()
        fields[.connection] = "keep-alive, Close"
        #expect(try writer.writeHead(head(fields: fields), into: &buffer).asksToClose)
        fields[.connection] = "keep-alive,,\tclose ,"
        #expect(try writer.writeHead(head(fields: fields), into: &buffer).asksToClose)
        fields[.connection] = "upgrade"
        fields[.upgrade] = "websocket"
        let traits = try writer.writeHead(head(fields: fields), into: &buffer)
        #expect(traits.asksToUpgrade && !traits.asksToClose)
    }

    @Test func writesChunksAndTrailers() throws {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer()
        _ = try writer.writeHead(head("POST", body: .unknown), into: &buffer)
        buffer.clear()
        for piece in ["hello", "", "0123456789abcdef0"] {
            try writer.writePrefix(ofPiece: piece.utf8.count, into: &buffer)
            buffer.writeString(piece)
        }
        let sum = try #require(HTTPField.Name("X-Sum"))
        try writer.writeEnd(trailers: [sum: "1"], into: &buffer)
        #expect(String(buffer: buffer) == "5\r\nhello\r\n11\r\n0123456789abcdef0\r\n0\r\nX-Sum: 1\r\n\r\n")
    }

    @Test func writesAnEmptyChunkedBody() throws {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer()
        _ = try writer.writeHead(head("POST", body: .unknown), into: &buffer)
        buffer.clear()
        try writer.writeEnd(into: &buffer)
        #expect(String(buffer: buffer) == "0\r\n\r\n")
    }

    @Test func holdsABodyToItsLength() throws {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer()
        _ = try writer.writeHead(head("PUT", body: .fixed(10)), into: &buffer)
        try writer.writePrefix(ofPiece: 6, into: &buffer)
        #expect(throws: HTTP1RequestError.bodyTooLong(declared: 10)) {
            try writer.writePrefix(ofPiece: 5, into: &buffer)
        }
        #expect(throws: HTTP1RequestError.bodyTooShort(declared: 10, missing: 4)) {
            try writer.writeEnd(into: &buffer)
        }
    }

    @Test("a trailer can't set framing or authorization")
    func refusesTrailers() throws {
        for name in ["Content-Length", "Authorization", "Host", "Transfer-Encoding"] {
            var writer = HTTP1RequestWriter()
            var buffer = ByteBuffer()
            _ = try writer.writeHead(head("POST", body: .unknown), into: &buffer)
            let field = try #require(HTTPField.Name(name))
            #expect(throws: HTTP1RequestError.forbiddenTrailer(name: name)) {
                try writer.writeEnd(trailers: [field: "1"], into: &buffer)
            }
        }
    }

    @Test func leavesNothingOfARefusedHead() throws {
        var writer = HTTP1RequestWriter()
        var buffer = ByteBuffer(string: "kept")
        #expect(throws: HTTP1RequestError.self) {
            try writer.writeHead(head("GET", "/", host: "a b"), into: &buffer)
        }
        #expect(String(buffer: buffer) == "kept")
    }
}
