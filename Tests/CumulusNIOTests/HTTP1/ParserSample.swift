// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusNIO

/// A response with the expected result of parsing it.
struct ParserSample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var kind = HTTP1RequestKind.ordinary
    var closing = false
    var expected: [String] = []
    var error: HTTP1ProtocolError?
    var isReusable = false

    var testDescription: String { name }

    static let accepted: [ParserSample] = [
        ParserSample(
            name: "fixed length",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b c\t\r\n\r\nhello",
            expected: ["head 200 'OK' [Content-Length=5;X-A=b c] length 5", "content hello", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "fixed length zero",
            text: "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            expected: ["head 404 'Not Found' [content-length=0] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "equal lengths in a list and in two lines",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nhi",
            expected: ["head 200 'OK' [Content-Length=2, 2;Content-Length=2] length 2", "content hi", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "chunked",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n4\r\nWiki\r\n00A\r\n0123456789\r\n0\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=Chunked] length ?", "content Wiki0123456789", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "chunked, with sizes of sixteen digits",
            text:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0000000000000002\r\nhi\r\n0000000000000000\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "content hi", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "chunked, with a tab behind it",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "content hi", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "a value whose last sign takes the blank behind it for a part of itself",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: \t\u{0604} \t\r\n\r\n",
            expected: ["head 200 'OK' [Content-Length=0;X=\u{0604}] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "chunked with extensions and trailers",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "4;a=b;c=\"d;e\"\r\nWiki\r\n5 ; x\r\npedia\r\n0;last\r\nX-Sum: 12\r\nEmpty:\r\n\r\n",
            expected: [
                "head 200 'OK' [Transfer-Encoding=chunked] length ?", "content Wikipedia", "end [X-Sum=12;Empty=]",
            ],
            isReusable: true
        ),
        ParserSample(
            name: "until close",
            text: "HTTP/1.1 200 OK\r\nServer: x\r\n\r\nall of it",
            closing: true,
            expected: ["head 200 'OK' [Server=x] length ?", "content all of it", "end"]
        ),
        ParserSample(
            name: "HEAD with a length",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            kind: .head,
            expected: ["head 200 'OK' [Content-Length=5] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "204",
            text: "HTTP/1.1 204 No Content\r\n\r\n",
            expected: ["head 204 'No Content' [] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "204 that frames content is not reused",
            text: "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n",
            expected: ["head 204 'No Content' [Content-Length=3] length 0", "end"]
        ),
        ParserSample(
            name: "304 with a length",
            text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 512\r\n\r\n",
            expected: ["head 304 'Not Modified' [Content-Length=512] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "informational before the final response",
            text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            expected: [
                "informational 100 'Continue' []", "informational 103 'Early Hints' [Link=</a>]",
                "head 200 'OK' [Content-Length=1] length 1", "content x", "end",
            ],
            isReusable: true
        ),
        ParserSample(
            name: "HTTP/1.0",
            text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
            expected: ["head 200 'OK' [Content-Length=1] length 1", "content x", "end"]
        ),
        ParserSample(
            name: "HTTP/1.0 with keep-alive",
            text: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx",
            expected: ["head 200 'OK' [Connection=Keep-Alive;Content-Length=1] length 1", "content x", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "Connection: close in a list",
            text: "HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 1\r\n\r\nx",
            expected: ["head 200 'OK' [Connection=foo, Close;Content-Length=1] length 1", "content x", "end"]
        ),
        ParserSample(
            name: "Connection: close as one word of a malformed list",
            text: "HTTP/1.1 200 OK\r\nConnection: keep-alive; x=\"close\" y\r\nContent-Length: 0\r\n\r\n",
            expected: ["head 200 'OK' [Connection=keep-alive; x=\"close\" y;Content-Length=0] length 0", "end"]
        ),
        ParserSample(
            name: "Connection with a word that only begins with close",
            text: "HTTP/1.1 200 OK\r\nConnection: ,, closed ,keep-alive,\r\nContent-Length: 0\r\n\r\n",
            expected: ["head 200 'OK' [Connection=,, closed ,keep-alive,;Content-Length=0] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "no reason phrase, with and without its space",
            text: "HTTP/1.1 100 \r\n\r\nHTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
            expected: ["informational 100 '' []", "head 200 '' [Content-Length=0] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "non-ASCII in reason and value",
            text: "HTTP/1.1 200 Größe\r\nX: ä\r\nContent-Length: 0\r\n\r\n",
            expected: ["head 200 'Größe' [X=ä;Content-Length=0] length 0", "end"],
            isReusable: true
        ),
        ParserSample(
            name: "switched protocols",
            text: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n\u{1}\u{2}",
            kind: .upgrade,
            closing: true,
            expected: ["head 101 'Switching Protocols' [Upgrade=echo] length ?", "content \u{1}\u{2}", "end"]
        ),
        ParserSample(
            name: "tunnel",
            text: "HTTP/1.1 200 Connection Established\r\nContent-Length: 3\r\n\r\nabcdef",
            kind: .connect,
            closing: true,
            expected: [
                "head 200 'Connection Established' [Content-Length=3] length ?", "content abcdef", "end",
            ]
        ),
        ParserSample(
            name: "tunnel, with framing that can't be read",
            text: "HTTP/1.1 200 OK\r\nContent-Length: no\r\nTransfer-Encoding: odd\r\n\r\nabc",
            kind: .connect,
            closing: true,
            expected: [
                "head 200 'OK' [Content-Length=no;Transfer-Encoding=odd] length ?", "content abc", "end",
            ]
        ),
        ParserSample(
            name: "trailers that set framing are dropped",
            text:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\nSet-Cookie: a=b\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "end"],
            isReusable: true
        ),
    ]

    /// Deviations that RFC 9112 or all other clients accept; their connections are not used again.
    static let tolerated: [ParserSample] = [
        ParserSample(
            name: "bare line feeds",
            text: "HTTP/1.1 200 OK\nA: b\nContent-Length: 2\n\nhi",
            expected: ["head 200 'OK' [A=b;Content-Length=2] length 2", "content hi", "end"]
        ),
        ParserSample(
            name: "one bare line feed",
            text: "HTTP/1.1 200 OK\r\nA: b\nContent-Length: 0\r\n\r\n",
            expected: ["head 200 'OK' [A=b;Content-Length=0] length 0", "end"]
        ),
        ParserSample(
            name: "a bare line feed at the end",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\n",
            expected: ["head 200 'OK' [Content-Length=0] length 0", "end"]
        ),
        ParserSample(
            name: "a bare line feed in an informational response",
            text: "HTTP/1.1 100 \n\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            expected: ["informational 100 '' []", "head 200 'OK' [Content-Length=0] length 0", "end"]
        ),
        ParserSample(
            name: "chunks under a head with bare line feeds",
            text: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\r\nhi\r\n0\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "content hi", "end"]
        ),
        ParserSample(
            name: "folded lines become one space each",
            text: "HTTP/1.1 200 OK\r\nA: b \t\r\n \t c\r\n\td\nContent-Length: 0\r\nE: f\r\n\r\n",
            expected: ["head 200 'OK' [A=b c d;Content-Length=0;E=f] length 0", "end"]
        ),
        ParserSample(
            name: "a value that begins behind its fold, and folds that say nothing",
            text: "HTTP/1.1 200 OK\r\nA:\r\n \r\n  b\r\n \r\nContent-Length:\r\n\t0\r\nC:\r\n \r\n\r\n",
            expected: ["head 200 'OK' [A=b;Content-Length=0;C=] length 0", "end"]
        ),
        ParserSample(
            name: "a fold under an option of the connection",
            text: "HTTP/1.1 200 OK\r\nConnection: a,\r\n close\r\nContent-Length: 0\r\n\r\n",
            expected: ["head 200 'OK' [Connection=a, close;Content-Length=0] length 0", "end"]
        ),
        ParserSample(
            name: "chunks are read in spite of a length",
            text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "content hi", "end"]
        ),
        ParserSample(
            name: "chunk sizes padded with spaces and tabs",
            text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4   \r\nWiki\r\n5\t\r\npedia\r\n0 \t \r\n\r\n",
            expected: ["head 200 'OK' [Transfer-Encoding=chunked] length ?", "content Wikipedia", "end"]
        ),
        ParserSample(
            name: "spaces before colons drop the fields, with their folds",
            text: "HTTP/1.1 200 OK\r\nServer : x\r\n y\r\nContent-Length: 0\r\nVia \t:\r\nA: b\r\n\r\n",
            expected: ["head 200 'OK' [Content-Length=0;A=b] dropped [Server,Via] length 0", "end"]
        ),
    ]

    static let refused: [ParserSample] = [
        refused(
            "several lengths with coding",
            "Content-Length: 5, 5\r\nTransfer-Encoding: chunked",
            .contentLengthWithTransferEncoding
        ),
        refused(
            "lengths in two lines around coding",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
            .contentLengthWithTransferEncoding
        ),
        refused(
            "length with two codings",
            "Content-Length: 5\r\nTransfer-Encoding: gzip, chunked",
            .unknownTransferCoding
        ),
        ParserSample(
            name: "length with coding in HTTP/1.0",
            text: "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            error: .contentLengthWithTransferEncoding
        ),
        refused("differing lengths", "Content-Length: 5\r\nContent-Length: 6", .conflictingContentLengths),
        refused("differing lengths in a list", "Content-Length: 5, 6", .conflictingContentLengths),
        refused("length with sign", "Content-Length: +5", .malformedContentLength),
        refused("negative length", "Content-Length: -5", .malformedContentLength),
        refused("hexadecimal length", "Content-Length: 0x5", .malformedContentLength),
        refused("empty length", "Content-Length:", .malformedContentLength),
        refused("length with blank inside", "Content-Length: 5 5", .malformedContentLength),
        refused("length list with a gap", "Content-Length: 5,", .malformedContentLength),
        refused("length beyond the type", "Content-Length: 9223372036854775808", .malformedContentLength),
        refused("space before the colon of the length", "Content-Length : 5", .malformedFieldName),
        refused("tab before the colon of the coding", "transfer-encoding\t: chunked", .malformedFieldName),
        refused("space before the colon of Connection", "Connection : close", .malformedFieldName),
        refused("spaces before the colon of Trailer", "TRAILER  : A", .malformedFieldName),
        refused("space inside a name", "a b: x", .malformedFieldName),
        refused("a control character behind a space before a colon", "A : \u{1b}[31m", .controlCharacter(in: nil)),
        refused("a control character in a folded line", "A: b\r\n \u{7f}", .controlCharacter(in: "A")),
        refused("a length that is folded in two", "Content-Length: 1\r\n 2", .malformedContentLength),
        refused("a coding that is folded in two", "Transfer-Encoding: chunked\r\n x", .unknownTransferCoding),
        refused("folded line behind the status line", " A: b", .foldedLine),
        refused("two carriage returns", "A: b\r", .bareCarriageReturn),
        refused("two carriage returns at the end", "A: b\r\n\r", .bareCarriageReturn),
        refused("no colon", "Server", .malformedFieldName),
        refused("empty name", ": x", .malformedFieldName),
        refused("slash in name", "a/b: x", .malformedFieldName),
        refused("NUL in value", "A: b\0c", .controlCharacter(in: "A")),
        refused("NUL in name", "A\0: b", .controlCharacter(in: nil)),
        refused("escape in value", "A: \u{1b}[31m", .controlCharacter(in: "A")),
        refused("carriage return in value", "A: b\rc", .bareCarriageReturn),
        refused("unknown coding", "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
        refused("identity coding", "Transfer-Encoding: identity", .unknownTransferCoding),
        refused(
            "coding twice",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            .unknownTransferCoding
        ),
        refused(
            "coding with odd blank",
            "Transfer-Encoding: \u{b}chunked",
            .controlCharacter(in: "Transfer-Encoding")
        ),
        status("empty line first", "\r\nHTTP/1.1 200 OK\r\n", .notHTTP),
        status("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", .notHTTP),
        status("HTTP/2 in words", "HTTP/2 200\r\n", .notHTTP),
        status("ICY", "ICY 200 OK\r\n", .notHTTP),
        status("version without digit", "HTTP/1.x 200 OK\r\n", .malformedStatusLine),
        status("two digits", "HTTP/1.1 20 OK\r\n", .malformedStatusLine),
        status("four digits", "HTTP/1.1 2000 OK\r\n", .malformedStatusLine),
        status("status below 100", "HTTP/1.1 099 OK\r\n", .malformedStatusLine),
        status("two spaces", "HTTP/1.1  200 OK\r\n", .malformedStatusLine),
        status("NUL in reason", "HTTP/1.1 200 O\0K\r\n", .controlCharacter(in: nil)),
        status("unasked switch", "HTTP/1.1 101 Switching Protocols\r\n\r\n", .unexpectedUpgrade),
        chunk("no size", "\r\n", .malformedChunkSize),
        chunk("sign", "+5\r\nhello", .malformedChunkSize),
        chunk("prefix", "0x5\r\nhello", .malformedChunkSize),
        chunk("padding before the size", " 5\r\nhello", .malformedChunkSize),
        chunk("padding with another character", "5 x\r\nhello", .malformedChunkSize),
        chunk("padding and a bare line feed", "5 \nhello", .malformedChunkSize),
        chunk(
            "padding without end",
            "5" + String(repeating: " ", count: 5_000),
            .chunkExtensionsTooLarge(limit: 4_096)
        ),
        chunk("a blank within the size", "1 0\r\nhello", .malformedChunkSize),
        chunk("seventeen digits", "00000000000000005\r\nhello", .malformedChunkSize),
        chunk("bare line feed", "5\nhello", .malformedChunkSize),
        chunk("bare line feed in extension", "5;a\nhello", .malformedChunkSize),
        chunk("too many digits", "1000000000000000\r\n", .malformedChunkSize),
        chunk("content too long", "5\r\nhello!\r\n", .malformedChunkEnd),
        chunk("carriage return alone", "5\r\nhello\r!", .malformedChunkEnd),
        chunk(
            "long extension",
            "5;" + String(repeating: "a", count: 5_000),
            .chunkExtensionsTooLarge(limit: 4_096)
        ),
        chunk("folded trailer", "0\r\nA: b\r\n c\r\n\r\n", .foldedLine),
        chunk("bare line feed in a trailer", "0\r\nA: b\n\r\n", .bareLineFeed),
        chunk("bare line feed behind the last chunk", "0\r\n\n", .bareLineFeed),
        chunk("space before a trailer's colon", "0\r\nA : b\r\n\r\n", .malformedFieldName),
        ParserSample(
            name: "bare line feed of a chunk, under a head with bare line feeds",
            text: "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\n",
            error: .malformedChunkSize
        ),
    ]

    static let truncated: [ParserSample] = [
        ParserSample(name: "nothing at all", text: "", error: .closedBeforeResponse),
        ParserSample(name: "inside the status line", text: "HTTP/1.1 2", error: .truncatedHead),
        ParserSample(name: "inside the fields", text: "HTTP/1.1 200 OK\r\nA: b\r\n", error: .truncatedHead),
        ParserSample(name: "after an informational head", text: "HTTP/1.1 100 \r\n\r\n", error: .truncatedHead),
        ParserSample(name: "fixed", text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", error: .truncatedBody),
        ParserSample(name: "missing last chunk", text: chunkedHead + "5\r\nhello\r\n", error: .truncatedBody),
        ParserSample(name: "inside a chunk", text: chunkedHead + "5\r\nhel", error: .truncatedBody),
        ParserSample(name: "before the final empty line", text: chunkedHead + "0\r\n", error: .truncatedBody),
        ParserSample(name: "inside trailers", text: chunkedHead + "0\r\nA: b\r\n", error: .truncatedBody),
    ]

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func refused(_ name: String, _ fields: String, _ error: HTTP1ProtocolError) -> ParserSample {
        ParserSample(name: name, text: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello", error: error)
    }

    private static func status(_ name: String, _ text: String, _ error: HTTP1ProtocolError) -> ParserSample {
        ParserSample(name: name, text: text, error: error)
    }

    private static func chunk(_ name: String, _ text: String, _ error: HTTP1ProtocolError) -> ParserSample {
        ParserSample(name: name, text: chunkedHead + text, error: error)
    }
}
