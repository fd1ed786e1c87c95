// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct HTTP1ResponseParserTests {
    @Test(arguments: ParserSample.accepted)
    func readsAWellFormedResponse(_ sample: ParserSample) {
        let transcript = ParserTranscript(sample.text, kind: sample.kind, closing: sample.closing)
        #expect(transcript.lines == sample.expected)
        #expect(transcript.error == nil)
        #expect(transcript.isReusable == sample.isReusable)
    }

    @Test(
        "an unambiguous deviation is accepted, and its connection not used again",
        arguments: ParserSample.tolerated
    )
    func tolerates(_ sample: ParserSample) {
        let transcript = ParserTranscript(sample.text)
        #expect(transcript.lines == sample.expected)
        #expect(transcript.error == nil)
        #expect(!transcript.isReusable)
    }

    @Test("after one lenient response the parser reports no reuse permanently") func staysLenient() throws {
        var parser = HTTP1ResponseParser()
        for text in ["HTTP/1.1 204 No Content\n\n", "HTTP/1.1 204 No Content\r\n\r\n"] {
            parser.expect(.ordinary)
            parser.receive(ByteBuffer(string: text))
            while let event = try parser.next() { _ = consume event }
            #expect(!parser.isReusable)
        }
    }

    @Test("refuses ambiguous responses", arguments: ParserSample.refused)
    func refuses(_ sample: ParserSample) {
        let transcript = ParserTranscript(sample.text)
        #expect(transcript.error == sample.error)
        #expect(!transcript.isReusable)
        #expect(!transcript.lines.contains { $0.hasPrefix("end") })
    }

    @Test("a truncated response is an error, never a success", arguments: ParserSample.truncated)
    func tellsTruncation(_ sample: ParserSample) {
        #expect(ParserTranscript(sample.text).error == nil)
        let closed = ParserTranscript(sample.text, closing: true)
        #expect(closed.error == sample.error)
        #expect(closed.error?.isTruncation == true)
        #expect(!closed.isReusable)
    }

    @Test(arguments: ParserSample.accepted + ParserSample.tolerated + ParserSample.refused + ParserSample.truncated)
    func readsTheSameHoweverTheBytesAreCut(_ sample: ParserSample) {
        let bytes = [UInt8](sample.text.utf8)
        let closing = sample.closing || ParserSample.truncated.contains { $0.name == sample.name }
        let whole = ParserTranscript(pieces: [bytes], kind: sample.kind, closing: closing)
        // At each byte, or at each third one from another place for each sample.
        let step = SlowTests.rounds(3, of: 1)
        for cut in stride(from: sample.name.utf8.count % step, to: bytes.count, by: step) {
            let pieces = [[UInt8](bytes[..<cut]), [UInt8](bytes[cut...])]
            #expect(ParserTranscript(pieces: pieces, kind: sample.kind, closing: closing) == whole, "cut at \(cut)")
        }
        let single = ParserTranscript(pieces: bytes.map { [$0] }, kind: sample.kind, closing: closing)
        #expect(single == whole)
    }

    @Test("header bytes are limited to 256 KiB")
    func boundsHeaderBytes() {
        let line = "A: " + String(repeating: "x", count: 1_000) + "\r\n"
        let inside = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 255) + "Content-Length: 0\r\n\r\n"
        #expect(ParserTranscript(inside).error == nil)
        let outside = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 270)
        #expect(ParserTranscript(outside).error == .headTooLarge(limit: 262_144))
        let endless = "HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 270_000)
        #expect(ParserTranscript(endless).error == .headTooLarge(limit: 262_144))
        let pieces = stride(from: 0, to: endless.utf8.count, by: 997).map { start in
            [UInt8](endless.utf8.dropFirst(start).prefix(997))
        }
        #expect(ParserTranscript(pieces: pieces).error == .headTooLarge(limit: 262_144))
    }

    @Test("header lines are limited to 5,000, in trailers too")
    func boundsHeaderLines() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        let inside = head + String(repeating: "a:\r\n", count: 4_998) + "\r\n0\r\n\r\n"
        #expect(ParserTranscript(inside).error == nil)
        let outside = head + String(repeating: "a:\r\n", count: 4_999) + "\r\n"
        #expect(ParserTranscript(outside).error == .tooManyLines(limit: 5_000))
        let trailers = head + "\r\n0\r\n" + String(repeating: "a:\r\n", count: 5_001) + "\r\n"
        #expect(ParserTranscript(trailers).error == .tooManyLines(limit: 5_000))
    }

    @Test("informational responses are limited")
    func boundsInformationalResponses() {
        let final = "HTTP/1.1 204 \r\n\r\n"
        let many = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 2_000)
        #expect(ParserTranscript(many + final).error == nil)
        #expect(ParserTranscript("HTTP/1.1 102 \r\n\r\n" + many).error == .tooManyInformationalResponses(limit: 2_000))
        // 1,024 bytes each, so 256 of them are 256 KiB.
        let large = "HTTP/1.1 103 \r\nLink: \(String(repeating: "l", count: 1_024 - 15 - 6 - 4))\r\n\r\n"
        #expect(ParserTranscript(String(repeating: large, count: 256) + final).error == nil)
        #expect(
            ParserTranscript(String(repeating: large, count: 257)).error
                == .informationalResponsesTooLarge(limit: 256 * 1_024)
        )
    }

    @Test("sent bytes and time pay for more informational responses")
    func paidInformationalResponses() throws {
        let flood = String(repeating: "HTTP/1.1 104 Upload Resumption Supported\r\n\r\n", count: 2_013)
        for (seconds, sent, limit) in [(0, 13 * 16_384, 2_013), (1, 3 * 16_384, 2_013), (1, 2 * 16_384, 2_012)] {
            var parser = HTTP1ResponseParser()
            parser.expect(.ordinary)
            parser.noteProgress(sent: Int64(sent), after: .seconds(seconds))
            parser.receive(ByteBuffer(string: flood + "HTTP/1.1 204 \r\n\r\n"))
            var count = 0
            var refusal: HTTP1ProtocolError?
            do throws(HTTP1ProtocolError) {
                while let event = try parser.next() { if case .informational = event { count += 1 } }
            } catch {
                refusal = error
            }
            #expect(count == limit)
            #expect(refusal == (limit == 2_013 ? nil : .tooManyInformationalResponses(limit: 2_012)))
        }
    }

    @Test("small chunks with signatures are accepted, and each byte of content pays for few of extensions")
    func signedChunks() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let signature = ";chunk-signature=" + String(repeating: "a", count: 64)
        let signed = "14\(signature)\r\n" + String(repeating: "y", count: 20) + "\r\n"
        #expect(ParserTranscript(head + String(repeating: signed, count: 5_000) + "0\r\n\r\n").error == nil)
        let padded = "14;" + String(repeating: "p", count: 400) + "\r\n" + String(repeating: "y", count: 20) + "\r\n"
        let attack = ParserTranscript(head + String(repeating: padded, count: 100))
        #expect(attack.error == .chunkExtensionsTooLarge(limit: 16_384))
        // Chunks of one byte don't pay for a signature each.
        let tiny = ParserTranscript(head + String(repeating: "1\(signature)\r\ny\r\n", count: 5_000))
        #expect(tiny.error == .chunkExtensionsTooLarge(limit: 16_384))
    }

    @Test("extensions are limited over a whole body, yet many small chunks are accepted")
    func boundsChunkOverhead() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let padded = "1;" + String(repeating: "p", count: 1_000) + "\r\nx\r\n"
        let attack = head + String(repeating: padded, count: 20)
        #expect(ParserTranscript(attack).error == .chunkExtensionsTooLarge(limit: 16_384))
        let small = head + String(repeating: "1\r\nx\r\n", count: 50_000) + "0\r\n\r\n"
        #expect(ParserTranscript(small).error == nil)
    }

    @Test("bytes after the end are distinguished from the response")
    func noticesUnsolicitedBytes() {
        let transcript = ParserTranscript("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n")
        #expect(transcript.lines.last == "end")
        #expect(transcript.hasUnsolicitedBytes)
        #expect(!transcript.isReusable)
    }

    @Test func readsOneResponseAfterAnother() throws {
        var parser = HTTP1ResponseParser()
        for text in ["first", "second"] {
            parser.expect(.ordinary)
            parser.receive(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"))
            var content = ""
            while let event = try parser.next() {
                if case .content(let bytes) = event { content += String(buffer: bytes) }
            }
            #expect(content == text)
            #expect(parser.isReusable)
        }
    }

    @Test func contentIsASliceOfWhatWasReceived() throws {
        var parser = HTTP1ResponseParser()
        parser.expect(.ordinary)
        let received = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let address = received.withUnsafeReadableBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
        parser.receive(received)
        var found: UInt?
        while let event = try parser.next() {
            if case .content(let bytes) = event {
                found = bytes.withUnsafeReadableBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
            }
        }
        #expect(found == address.map { $0 + 38 })
    }

    @Test func staysFailedAfterAnError() {
        var parser = HTTP1ResponseParser()
        parser.expect(.ordinary)
        parser.receive(ByteBuffer(string: "nonsense"))
        #expect(throws: HTTP1ProtocolError.notHTTP) { _ = try parser.next() }
        parser.receive(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"))
        #expect(throws: HTTP1ProtocolError.notHTTP) { _ = try parser.next() }
        #expect(throws: HTTP1ProtocolError.notHTTP) { _ = try parser.finish() }
    }

    @Test func mutatedResponsesNeverTrapAndReadTheSameWhenCut() {
        var random = SplitMix(state: 20_261_121)
        let samples = ParserSample.accepted + ParserSample.tolerated + ParserSample.refused
        for round in 0..<SlowTests.rounds(1_500, of: 6_000) {
            let sample = samples[round % samples.count]
            let bytes = random.mutated([UInt8](sample.text.utf8))
            let whole = ParserTranscript(pieces: [bytes], kind: sample.kind, closing: true)
            let cut = Int(random.next() % UInt64(bytes.count + 1))
            let pieces = [[UInt8](bytes[..<cut]), [UInt8](bytes[cut...])]
            let inTwo = ParserTranscript(pieces: pieces, kind: sample.kind, closing: true)
            #expect(inTwo == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription) cut at \(cut)")
        }
    }
}
