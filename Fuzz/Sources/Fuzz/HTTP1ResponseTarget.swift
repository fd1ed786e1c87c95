// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTP1

/// A response reads the same however its bytes are cut, and as SwiftNIO's decoder reads it where both accept it.
///
/// The first byte chooses the request's kind and the cuts, the rest is what the server sends.
enum HTTP1ResponseTarget: FuzzTarget {
    static let name = "http1-response"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let choice = input.first else { return }
        let kind: HTTP1RequestKind = [.ordinary, .ordinary, .ordinary, .head, .connect, .upgrade][Int(choice) % 6]
        let bytes = ByteBuffer(bytes: input.dropFirst())
        let whole = HTTP1Reading(bytes, kind, cuts: [])
        expect(
            whole == HTTP1Reading(bytes, kind, cuts: Array(0..<bytes.readableBytes)),
            "cut at every byte, it differs"
        )
        let cut = bytes.readableBytes * Int(choice) / 256
        expect(whole == HTTP1Reading(bytes, kind, cuts: [cut]), "cut at \(cut), it differs")
        if whole.isComplete, kind == .ordinary || kind == .head { compare(whole, with: bytes, kind) }
    }

    /// Compares with SwiftNIO's decoder, which is an independent reader: llhttp.
    ///
    /// Where only one of them accepts the bytes, nothing follows; ours is meant to be the stricter. SwiftNIO leaves tabs
    /// behind a value, which RFC 9110, section 5.5 takes for white space; for it, "chunked" with a tab is no coding it knows.
    /// Of a value with folds only the words are compared, and no fields where we left some out.
    private static func compare(_ ours: HTTP1Reading, with bytes: ByteBuffer, _ kind: HTTP1RequestKind) {
        let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop)
        let channel = EmbeddedChannel(handlers: [ByteToMessageHandler(decoder)])
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let request = HTTPRequestHead(version: .http1_1, method: kind == .head ? .HEAD : .GET, uri: "/")
        _ = try? channel.writeOutbound(HTTPClientRequestPart.head(request))
        guard (try? channel.writeInbound(bytes)) != nil else { return }
        channel.pipeline.fireChannelInactive()
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        var isComplete = false
        while !isComplete, let part = try? channel.readInbound(as: HTTPClientResponsePart.self) {
            switch part {
            case .head(let received): head = received
            case .body(let content): body += content.readableBytesView
            case .end: isComplete = true
            }
        }
        guard let head, isComplete else { return }
        if head.headers["transfer-encoding"].contains(where: { $0.utf8.last == UInt8(ascii: "\t") }) { return }
        expect(Int(head.status.code) == ours.status, "the status is \(ours.status), for SwiftNIO \(head.status.code)")
        expect(body == ours.body, "the body has \(ours.body.count) bytes, for SwiftNIO \(body.count)")
        if ours.hasDropped { return }
        let fields = head.headers.map { "\($0.name.lowercased()): \(trimmed($0.value))" }
        let isFolded = hasFold(bytes.readableBytesView)
        let isSame = isFolded ? fields.map(words) == ours.fields.map(words) : fields == ours.fields
        expect(isSame, "the fields are \(ours.fields), for SwiftNIO \(fields)")
    }

    private static func hasFold(_ bytes: ByteBufferView) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == 0x0a && ($1 == 0x20 || $1 == 0x09) }
    }

    private static func words(_ line: String) -> [[UInt8]] {
        line.utf8.split { $0 <= 0x20 }.map { Array($0) }
    }

    private static func trimmed(_ value: String) -> String {
        let bytes = value.utf8
        let end = bytes.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        // By bytes: to a text, a blank behind some signs is a part of them.
        return end.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
    }
}

/// All that the parser tells of one response, with the content in one piece.
private struct HTTP1Reading: Equatable {
    private(set) var informational: [Int] = []
    private(set) var status = 0
    private(set) var length: Int64?
    private(set) var fields: [String] = []
    private(set) var body: [UInt8] = []
    private(set) var trailers: [String]?
    private(set) var isComplete = false
    private(set) var isReusable = false
    private(set) var hasMore = false
    private(set) var hasDropped = false
    private(set) var error: HTTP1ProtocolError?

    /// Reads bytes that arrive in pieces, cut before each of these places.
    init(_ bytes: ByteBuffer, _ kind: HTTP1RequestKind, cuts: [Int]) {
        var parser = HTTP1ResponseParser()
        parser.expect(kind)
        do throws(HTTP1ProtocolError) {
            var start = 0
            for end in cuts + [bytes.readableBytes] {
                guard let piece = bytes.getSlice(at: start, length: end - start) else { continue }
                start = end
                parser.receive(piece)
                while let event = try parser.next() { note(event) }
            }
            isReusable = parser.isReusable
            hasMore = parser.hasUnsolicitedBytes
            if let event = try parser.finish() { note(event) }
        } catch {
            self.error = error
        }
    }

    private mutating func note(_ event: borrowing HTTP1ResponseEvent) {
        expect(!isComplete, "an event follows the end")
        switch event {
        case .informational(let head):
            informational.append(head.status)
        case .head(let head, let length):
            status = head.status
            self.length = length
            fields = Self.lines(head.fields)
            hasDropped = head.droppedFields?.isEmpty == false
        case .content(let content):
            expect(content.readableBytes > 0, "a piece of content is empty")
            body += content.readableBytesView
        case .end(let trailers):
            self.trailers = trailers.map(Self.lines)
            isComplete = true
            if let length { expect(length == body.count, "\(body.count) bytes of content, but a length of \(length)") }
        }
    }

    private static func lines(_ section: HTTP1FieldSection) -> [String] {
        section.bytes.withUnsafeReadableBytes { raw in
            section.entries.map { entry in
                let name = String(decoding: raw[Int(entry.nameStart)..<Int(entry.nameEnd)], as: UTF8.self)
                let value = String(decoding: raw[Int(entry.valueStart)..<Int(entry.valueEnd)], as: UTF8.self)
                return "\(name.lowercased()): \(value)"
            }
        }
    }
}
