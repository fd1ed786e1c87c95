// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
    struct Delta: Codable, Sendable, Equatable { var text: String }

    private func collect<Element>(_ stream: EventStream<Element>) async throws -> [Element] {
        var found: [Element] = []
        for try await element in stream { found.append(element) }
        return found
    }

    private func chat(_ answer: StubResponse) -> (EventSite, Call<Response>) {
        let site = EventSite { _ in answer }
        return (site, site.site["chat"].call(.post, body: ["prompt": "hi"]))
    }

    private static let deltas = """
        : comment
        event: ping
        data: {}

        id: 1
        data: {"text":"a"}

        id: 2
        data:

        data: {"text":"b"}

        data: [DONE]

        data: {"text":"c"}


        """

    @Test func eventsOfAPostAreReadOnce() async throws {
        let (site, call) = chat(.events("data: a\n\nevent: x\nid: 7\nda", "ta: b\n\ndata: unfinished\n"))
        let stream = call.events().onStateChange { site.note($0) }
        #expect(site.transport.requests.isEmpty)
        let events = try await collect(stream)
        #expect(events == [ServerSentEvent(data: "a"), ServerSentEvent(data: "b", type: "x", id: "7")])
        #expect(site.log == ["connecting", "open", "closed finished"])
        #expect(site.transport.requests.count == 1)
        #expect(site.transport.lastRequest?.headers[.accept] == "text/event-stream")
        #expect(site.transport.lastRequest?.headers[.cacheControl] == "no-store")
        #expect(site.transport.lastRequest?.request.deadlines.idle == nil)
        #expect(site.transport.lastRequest?.request.deadlines.response == .seconds(60))
    }

    @Test func fieldsOfTheCallerAreKept() async throws {
        let (site, call) = chat(.events("data: a\n\n"))
        var own = call
        own.headers[.accept] = "application/json, text/event-stream"
        own.headers[.cacheControl] = nil
        _ = try await collect(own.events())
        #expect(site.transport.lastRequest?.headers[.accept] == "application/json, text/event-stream")
        #expect(site.transport.lastRequest?.headers[.cacheControl] == nil)
        _ = try await collect(call.with { $0.headers[.accept] = "text/*" }.events())
        #expect(site.transport.lastRequest?.headers[.accept] == "text/*")
        #expect(site.transport.lastRequest?.headers[.cacheControl] == "no-store")
    }

    @Test func valuesAreDecodedUntilTheSentinel() async throws {
        let (site, call) = chat(.events(Self.deltas))
        let stream = call.events(as: Delta.self, types: ["message"], until: "[DONE]")
        #expect(try await collect(stream.onStateChange { site.note($0) }) == [Delta(text: "a"), Delta(text: "b")])
        #expect(site.log.last == "closed sentinel")
        // The body ends right there, so that its connection can be used again.
        #expect(site.transport.cancelledBodies == 0)
        #expect(try await collect(stream).isEmpty)
    }

    @Test func bodyThatContinuesAfterTheSentinelIsCancelled() async throws {
        let mark = "data: [DONE]\n\n"
        let endless = Array(repeating: StubResponse.Step.chunk(Array(repeating: 0x3A, count: 5_000)), count: 100)
        for steps in [[.pause(.seconds(100_000))], endless] {
            let site = EventSite { _ in
                .script([.chunk(Array(mark.utf8))] + steps, headers: [.contentType: "text/event-stream"])
            }
            let start = site.clock.now
            let stream = site.site.call(.get).events(as: Delta.self, until: "[DONE]")
            #expect(try await site.read(9, of: stream).isEmpty)
            #expect(site.log.last == "closed sentinel" && site.transport.cancelledBodies == 1)
            #expect(start.duration(to: site.clock.now) <= .milliseconds(100))
        }
    }

    @Test("a response that ends before the event that marks its end is an error, once", arguments: [false, true])
    func missingSentinel(isOpened: Bool) async throws {
        let (site, call) = chat(.events("data: {\"text\":\"a\"}\n\n"))
        let stream =
            try await isOpened
            ? call.stream().events(as: Delta.self, until: "[DONE]") : call.events(as: Delta.self, until: "[DONE]")
        var texts: [String] = []
        let error = await #expect(throws: CumulusError.self) {
            for try await delta in stream.onStateChange({ site.note($0) }) { texts.append(delta.text) }
        }
        #expect(error?.code == .truncatedBody && error?.request != nil)
        #expect(texts == ["a"])
        #expect(site.log.last == "failed \(CumulusError.Code.truncatedBody)")
        #expect(try await collect(stream).isEmpty)
    }

    @Test func metadataAreThoseOfTheValuesEvent() async throws {
        let (_, call) = chat(.events(Self.deltas))
        let stream = call.events(as: Delta.self, types: ["message"], until: "[DONE]").withMetadata
        let found = try await collect(stream)
        #expect(found.map(\.value.text) == ["a", "b"])
        #expect(found.map(\.event.id) == ["1", "2"])
    }

    @Test func invalidValueEndsTheStreamWithItsNumberAndText() async throws {
        let body = "data: {\"text\":\"a\"}\n\ndata: {\"text\":1\ndata: }\n\ndata: {\"text\":\"c\"}\n\n"
        let (site, call) = chat(.openEvents(body))
        let stream = call.events(as: Delta.self)
        let error = await #expect(throws: CumulusError.self) { _ = try await collect(stream) }
        let problem = error?.cause as? EventProblem
        #expect(error?.code == .decoding && problem?.event == 2 && problem?.line == 5)
        #expect((problem?.cause as? DecodingProblem)?.excerpt.revealed == "{\"text\":1\n}")
        #expect(error.map { "\($0)" }?.contains("event 2 (line 5): ") == true)
        #expect(site.transport.cancelledBodies == 1)
        #expect(try await collect(stream).isEmpty)
    }

    @Test func invalidValueIsSkippedOnRequest() async throws {
        let (_, call) = chat(.events("data: {\"text\":\"a\"}\n\ndata: x\n\ndata: {\"text\":\"c\"}\n\n"))
        #expect(try await collect(call.events(as: Delta.self).skippingInvalid).map(\.text) == ["a", "c"])
        #expect(try await collect(call.events(as: Delta.self).skippingInvalid.withMetadata).count == 2)
    }

    @Test func longEventIsAnErrorEvenIfInvalidValuesAreSkipped() async throws {
        let (site, call) = chat(.openEvents("data: {}\n\ndata: 0123456789\n\n"))
        let error = await #expect(throws: CumulusError.self) {
            _ = try await collect(call.events(as: Delta.self, limit: 10).skippingInvalid)
        }
        #expect(error?.code == .decoding && (error?.cause as? EventProblem)?.event == 2)
        #expect(site.transport.cancelledBodies == 1)
    }

    // MARK: Responses that are not event streams

    @Test func refusedStatusIsTheServicesError() async throws {
        let (site, call) = chat(.json(#"{"error":{"code":"quota","message":"no money"}}"#, status: .forbidden))
        let decoding = call.with { $0.errorDecoders = [.jsonMember("error")] }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await collect(decoding.events().onStateChange { site.note($0) })
        }
        #expect(error?.code == .service && error?.statusCode == 403)
        #expect(error?.serviceError()?.code == "quota")
        #expect(site.log == ["connecting", "failed service"])
        let plain = await #expect(throws: CumulusError.self) { _ = try await collect(call.events()) }
        #expect(plain?.code == .status)
    }

    @Test func documentInPlaceOfTheStreamIsTheServicesError() async throws {
        let (site, call) = chat(.json(#"{"error":{"code":"overloaded"}}"#))
        let decoding = call.with { $0.errorDecoders = [.jsonMember("error")] }
        let error = await #expect(throws: CumulusError.self) { _ = try await collect(decoding.events()) }
        #expect(error?.code == .service && error?.serviceError()?.code == "overloaded")
        let plain = await #expect(throws: CumulusError.self) { _ = try await collect(call.events()) }
        #expect(plain?.code == .decoding && plain?.response?.text?.contains("overloaded") == true)
        #expect(plain?.message == "the response is of type application/json, not text/event-stream")
        let mismatch = try #require(plain?.cause as? MediaTypeMismatch)
        #expect(mismatch.received == .json && mismatch.accepted == [.eventStream])
        #expect(site.transport.requests.count == 2)
    }

    @Test func silentDocumentInPlaceOfTheStreamEndsAtTheTimeout() async throws {
        let site = EventSite { _ in
            .script([.chunk(Array("half".utf8)), .gate(Gate())], headers: [.contentType: "text/html"])
        }
        let error = await #expect(throws: CumulusError.self) { _ = try await site.read(1, of: site.site.events()) }
        #expect(error?.code == .decoding && error?.response?.text == "half")
        #expect(error?.response?.isBodyComplete == false)
    }

    @Test func documentThatArrivesByteByByteEndsAtTheTimeout() async throws {
        let drops = (0..<100).flatMap { _ in [StubResponse.Step.chunk([0x78]), .pause(.seconds(1))] }
        let site = EventSite { _ in .script(drops, headers: [.contentType: "text/html"]) }
        let stream = site.site.with { $0.timeout = .seconds(10) }.call(.get).events()
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.read(1, of: stream, sleepers: 2)
        }
        #expect(error?.code == .decoding && error?.response?.isBodyComplete == false)
        let count = error?.response?.bytes.count ?? 0
        #expect((9...11).contains(count), "\(count) bytes")
    }

    @Test func errorEventIsTheServicesError() async throws {
        let body = "data: {}\n\nevent: error\ndata: {\"error\":{\"code\":\"late\"}}\n\n"
        let (site, call) = chat(.openEvents(body))
        let decoding = call.with { $0.errorDecoders = [.jsonMember("error")] }
        for types in [nil, ["message"]] as [Set<String>?] {
            let error = await #expect(throws: CumulusError.self) {
                _ = try await collect(decoding.events(as: JSON.self, types: types))
            }
            #expect(error?.code == .service && error?.serviceError()?.code == "late")
        }
        #expect(site.transport.cancelledBodies == 2)
        let (_, ended) = chat(.events("event: error\ndata: busy\n\n"))
        let events = try await collect(ended.with { $0.errorDecoders = [.jsonMember("error")] }.events())
        #expect(events == [ServerSentEvent(data: "busy", type: "error")])
    }

    @Test func errorWithoutATypeIsTheServicesErrorIfItIsNotAValue() async throws {
        let (_, call) = chat(.events("data: {\"error\":{\"code\":\"mid\"}}\n\n"))
        let decoding = call.with { $0.errorDecoders = [.jsonMember("error")] }
        let error = await #expect(throws: CumulusError.self) {
            _ = try await collect(decoding.events(as: Delta.self).skippingInvalid)
        }
        #expect(error?.serviceError()?.code == "mid")
    }

    @Test func oneDecoderReadsUnsuccessfulResponsesAndErrorEvents() async throws {
        struct Overloaded: Error, Decodable, Equatable { var code: String }
        let refused = chat(.json("{\"code\":\"429\"}", status: .forbidden)).1
        let late = chat(.events("data: {\"code\":\"fine\"}\n\nevent: error\ndata: {\"code\":\"late\"}\n\n")).1
        let untyped = chat(.events("data: {\"code\":\"untyped\"}\n\n")).1
        for (call, code) in [(refused, "429"), (late, "late"), (untyped, "untyped")] {
            let decoding = call.with { $0.errorDecoders = [.decoding(Overloaded.self)] }
            let error = await #expect(throws: CumulusError.self) {
                if code == "untyped" { _ = try await collect(decoding.events(as: Delta.self)) }
                _ = try await collect(decoding.events())
            }
            #expect(error?.code == .service && error?.cause as? Overloaded == Overloaded(code: code))
        }
        let (_, other) = chat(.events("event: error\ndata: busy\n\n"))
        let events = try await collect(other.with { $0.errorDecoders = [.decoding(Overloaded.self)] }.events())
        #expect(events.map(\.data) == ["busy"])
        let choosy = late.with { $0.errorDecoders = [.decoding(Overloaded.self, where: { $0.status == .forbidden })] }
        #expect(try await collect(choosy.events()).count == 2)
    }

    // MARK: JSON documents in place of the stream

    @Test func documentIsOneEventIfItIsAccepted() async throws {
        for pieces in [["{\"text\":", "\"a\"}\n"], ["{\"text\":\"a\"}"]] {
            let site = EventSite { _ in
                .script(pieces.map { .chunk(Array($0.utf8)) }, headers: [.contentType: "application/json"])
            }
            for call in [site.site.call(.post, body: ["id": 1]), site.site.call(.get)] {
                let stream = call.events(as: Delta.self, until: "[DONE]", acceptsJSON: true)
                #expect(try await collect(stream.onStateChange { site.note($0) }) == [Delta(text: "a")])
                #expect(site.log.suffix(3) == ["connecting", "open", "closed finished"])
            }
            #expect(site.transport.lastRequest?.headers[.accept] == "application/json, text/event-stream")
            #expect(site.transport.requests.count == 2)
        }
    }

    @Test func streamIsReadAsBeforeIfADocumentIsAccepted() async throws {
        let (_, call) = chat(.events("data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\n"))
        #expect(try await collect(call.events(as: Delta.self, acceptsJSON: true)).map(\.text) == ["a", "b"])
    }

    @Test func acceptedMessageWithoutADocumentHasNoEvents() async throws {
        let (site, call) = chat(.status(.accepted))
        let stream = call.events(as: Delta.self, acceptsJSON: true).onStateChange { site.note($0) }
        #expect(try await collect(stream).isEmpty && site.log.last == "closed noContent")
    }

    @Test func documentHasALimitAndTheServicesErrors() async throws {
        let (_, call) = chat(.json("{\"error\":{\"code\":\"denied\"}}"))
        let decoding = call.with { $0.errorDecoders = [.jsonMember("error")] }
        let refused = await #expect(throws: CumulusError.self) {
            _ = try await collect(decoding.events(acceptsJSON: true))
        }
        #expect(refused?.serviceError()?.code == "denied")
        let long = await #expect(throws: CumulusError.self) {
            _ = try await collect(call.events(limit: 20, acceptsJSON: true))
        }
        #expect(long?.code == .decoding && (long?.cause as? LineProblem)?.value == 1)
        let cut = chat(.json("{\"text\":")).1
        let incomplete = await #expect(throws: CumulusError.self) {
            _ = try await collect(cut.events(as: Delta.self, acceptsJSON: true))
        }
        #expect(incomplete?.code == .decoding && (incomplete?.cause as? EventProblem)?.event == 1)
    }

    @Test func anotherDocumentIsAnErrorThatNamesBothTypes() async throws {
        let (_, call) = chat(.text("no"))
        let error = await #expect(throws: CumulusError.self) { _ = try await collect(call.events(acceptsJSON: true)) }
        #expect(error?.message.contains("not text/event-stream or application/json") == true, "\(error as Any)")
        #expect(error?.response?.text == "no")
    }

    // MARK: One owner

    @Test func loopsContinueWhereTheLastOneStopped() async throws {
        let (site, call) = chat(.events("data: 1\n\ndata: 2\n\nda", "ta: 3\n\ndata: 4\n\n"))
        let stream = call.events()
        var found: [String] = []
        for _ in 0..<4 {
            for try await event in stream {
                found.append(event.data)
                break
            }
        }
        #expect(found == ["1", "2", "3", "4"])
        #expect(site.transport.requests.count == 1)
    }

    @Test func streamsOfOneResponseShareItsBytes() async throws {
        let body = "data: 1\n\nid: 5\ndata: 2\n\ndata: 3\n\nplain\nrest"
        for chunks in [[body], body.map { "\($0)" }] {
            let site = EventSite { _ in .script(chunks.map { .chunk(Array($0.utf8)) }) }
            let stream = try await site.site.call(.get).stream()
            func first() async throws -> ServerSentEvent? {
                for try await event in stream.events() { return event }
                return nil
            }
            #expect(try await first()?.data == "1")
            #expect(try await first() == ServerSentEvent(data: "2", id: "5"))
            for try await event in stream.events() {
                #expect(event == ServerSentEvent(data: "3", id: "5"))
                break
            }
            for try await line in stream.lines {
                #expect(line == "plain")
                break
            }
            var bytes: [UInt8] = []
            for try await piece in stream { bytes += piece.bytes }
            #expect(bytes == Array("rest".utf8))
        }
    }

    @Test func leavingTheLoopEndsTheExchange() async throws {
        let (site, call) = chat(.openEvents("data: 1\n\ndata: 2\n\n"))
        for try await event in call.events().onStateChange({ site.note($0) }) {
            #expect(event.data == "1")
            break
        }
        #expect(site.transport.cancelledBodies == 1)
        #expect(site.log == ["connecting", "open", "closed cancelled"])
    }

    @Test func cancellationEndsAReadAtOnce() async throws {
        let site = EventSite { _ in .openEvents("data: 1\n\n") }
        let arrived = Gate()
        let reader = Task {
            for try await _ in site.site.events().onStateChange({ site.note($0) }) { arrived.open() }
        }
        try await arrived.wait()
        try await site.clock.waitForSleepers()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(site.transport.cancelledBodies == 1)
        #expect(site.log.last == "closed cancelled" && site.transport.requests.count == 1)
    }

    @Test func cancellationEndsBufferedEvents() async throws {
        let site = EventSite { _ in .events(String(repeating: "data: 1\n\n", count: 1_000)) }
        let count = Mutex(0)
        let reader = Task {
            for try await _ in site.site.events() {
                count.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(count.withLock { $0 } == 1)
    }
}
