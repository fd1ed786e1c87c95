// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct BodyInboxTests {
    private typealias Inbox = BodyInbox<Int>

    private func text(_ taken: Inbox.Taken) -> String {
        switch taken {
        case .bytes(let bytes, let resumes): String(buffer: bytes) + (resumes ? "+" : "")
        case .end: "end"
        case .failed(let error): error is CancellationError ? "cancelled" : "failed"
        case .nothing: "nothing"
        }
    }

    @Test func givesOutInOrderAndThenTheEnd() {
        var inbox = Inbox(highWaterMark: 100)
        #expect(inbox.push(ByteBuffer(string: "a")) == nil)
        #expect(inbox.push(ByteBuffer(string: "b")) == nil)
        #expect(inbox.finish(ExchangeEnd()) == nil)
        let texts = (0..<4).map { _ in text(inbox.take()) }
        #expect(texts == ["a", "b", "end", "end"])
    }

    @Test func handsAPieceToWhoeverWaits() {
        var inbox = Inbox(highWaterMark: 100)
        #expect(text(inbox.take(orWait: 7)) == "nothing")
        #expect(inbox.isDemanded)
        #expect(inbox.push(ByteBuffer(string: "a")) == 7)
        #expect(!inbox.isDemanded)
        #expect(text(inbox.take(orWait: 8)) == "nothing")
        #expect(inbox.finish(ExchangeEnd()) == 8)
    }

    @Test func holdsReadingAtTheMarkAndResumesOnce() {
        var inbox = Inbox(highWaterMark: 4)
        let atFirst = inbox.mayRead()
        #expect(atFirst)
        for piece in ["aa", "bb", "cc"] { #expect(inbox.push(ByteBuffer(string: piece)) == nil) }
        let whenFull = inbox.mayRead()
        #expect(!whenFull)
        let texts = (0..<3).map { _ in text(inbox.take()) }
        #expect(texts == ["aa", "bb+", "cc"])
        let whenEmpty = inbox.mayRead()
        #expect(whenEmpty)
    }

    @Test func givesOutWhatCameBeforeAFailure() {
        var inbox = Inbox(highWaterMark: 4)
        #expect(inbox.push(ByteBuffer(string: "a")) == nil)
        #expect(inbox.fail(TransportFailure(.truncated, "cut")) == nil)
        let texts = (0..<2).map { _ in text(inbox.take()) }
        #expect(texts == ["a", "failed"])
    }

    @Test func cancellingDropsEverything() {
        var inbox = Inbox(highWaterMark: 4)
        #expect(inbox.push(ByteBuffer(string: "a")) == nil)
        #expect(inbox.cancel().wasOpen)
        #expect(text(inbox.take()) == "cancelled")
        #expect(!inbox.cancel().wasOpen)
        #expect(inbox.push(ByteBuffer(string: "b")) == nil)
        #expect(inbox.finish(ExchangeEnd()) == nil)
        #expect(text(inbox.take()) == "cancelled")
    }

    @Test func whatDripsDoesNotKeepABufferEach() {
        var inbox = BodyInbox<Int>(highWaterMark: 1 << 20)
        for index in 0..<50_000 { #expect(inbox.push(ByteBuffer(bytes: [UInt8(truncatingIfNeeded: index)])) == nil) }
        var (chunks, bytes): (Int, [UInt8]) = (0, [])
        while case .bytes(let chunk, _) = inbox.take() {
            chunks += 1
            bytes += chunk.readableBytesView
        }
        #expect(bytes == (0..<50_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(chunks < 40)
    }
}
