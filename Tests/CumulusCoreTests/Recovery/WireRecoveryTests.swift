// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// What follows an exchange within an attempt: each end, fate, method and body.
@Suite struct WireRecoveryTests {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete, .post, .patch]

    private func request(
        _ method: HTTPRequest.Method = .get,
        key: Bool = false,
        _ body: RequestBody = .none
    ) -> TransportRequest {
        var request = TransportRequest(method: method, origin: Origin(scheme: .https, host: "a.example"), body: body)
        if key, let name = HTTPField.Name("Idempotency-Key") { request.headers[name] = "1" }
        return request
    }

    private func failure(
        _ fate: TransportFailure.Fate,
        served: Bool,
        _ kind: TransportFailure.Kind = .connectionClosed
    ) -> ExchangeOutcome {
        var failure = TransportFailure(kind, "it ended", fate: fate)
        failure.connectionHadServed = served
        return .failed(failure)
    }

    private func answer(_ code: Int, served: Bool = false) -> ExchangeOutcome {
        let head = ResponseHead(status: .init(code: code), connectionHadServed: served, lazily: { [:] })
        return .responded(TransportResponse(head: head, body: ResponseBody(complete: .empty)))
    }

    /// What a permit says.
    private struct Again: Equatable {
        var reason: AttemptRecord.Reason
        var entry: SendApproval.Entry
        var connection = TransportRequest.Connection.any
        var dropsExpectation = false
    }

    /// What follows the same end again and again, up to ten times.
    private func all(_ end: ExchangeOutcome, of request: TransportRequest) -> [Again] {
        var (request, recovery, all) = (request, WireRecovery(), [Again]())
        while all.count < 10, let approval = recovery.next(after: end, of: request) {
            all.append(
                Again(
                    reason: approval.reason,
                    entry: approval.entry,
                    connection: approval.connection,
                    dropsExpectation: approval.dropsExpectation
                )
            )
            approval.change(&request)
        }
        return all
    }

    @Test("a kept connection that closed is replaced, three times at most", arguments: methods)
    func stale(method: HTTPRequest.Method) {
        let unseen = Again(reason: .staleConnection, entry: .wire, connection: .new)
        let seen = Again(reason: .staleConnection, entry: .authorization, connection: .new)
        let isIdempotent = method != .post && method != .patch
        #expect(all(failure(.unsent, served: true), of: request(method)) == [unseen, unseen, unseen])
        #expect(all(failure(.unknown, served: true), of: request(method)) == (isIdempotent ? [seen, seen, seen] : []))
        #expect(all(failure(.unknown, served: true), of: request(method, key: true)) == [seen, seen, seen])
    }

    @Test(
        "no other failure of a kept connection is repeated here",
        arguments: [TransportFailure.Kind.timeout(.response), .malformedResponse, .truncated]
    )
    func otherKinds(kind: TransportFailure.Kind) {
        #expect(all(failure(.unknown, served: true, kind), of: request()).isEmpty)
    }

    @Test("a server that claims progress for ever is given up")
    func endlessProgress() {
        var (recovery, count) = (WireRecovery(), 0)
        while count < 2_000, let approval = recovery.next(after: failure(.unprocessed, served: true), of: request()) {
            #expect(approval.entry == .authorization)
            count += 1
        }
        #expect(count == WireRecovery.mostRefusals)
    }

    @Test("a new connection that closed isn't replaced", arguments: [TransportFailure.Fate.unsent, .unknown])
    func new(fate: TransportFailure.Fate) { #expect(all(failure(fate, served: false), of: request()).isEmpty) }

    @Test("what a server has not processed goes again, whatever the method", arguments: methods)
    func unprocessed(method: HTTPRequest.Method) {
        // The server has received the head, with a count or nonce that must not be used twice.
        let again = Again(reason: .unprocessed, entry: .authorization)
        #expect(all(failure(.unprocessed, served: false), of: request(method)) == [again, again, again])
        #expect(all(failure(.unprocessed, served: true), of: request(method)).count == 10, "it makes progress")
    }

    @Test("a body that was begun and can't be produced again is never sent twice")
    func onceOnly() async throws {
        let stream = StreamBody { _, _ in }
        let ends = [failure(.unsent, served: true), failure(.unprocessed, served: true), answer(417), answer(421)]
        var asked = request(.put, .stream(stream))
        asked.expectsContinue = .seconds(1)
        for end in ends { #expect(!all(end, of: asked).isEmpty) }
        try await stream.contents(0, BodyWriter { _ in })
        for end in ends { #expect(all(end, of: asked).isEmpty) }
    }

    @Test("421 goes to another connection once, whatever the method", arguments: methods)
    func misdirected(method: HTTPRequest.Method) {
        let again = Again(reason: .misdirected, entry: .authorization, connection: .new)
        #expect(all(answer(421), of: request(method)) == [again])
    }

    @Test("408 on a kept connection goes to another one once, if it may have taken effect twice", arguments: methods)
    func requestTimeout(method: HTTPRequest.Method) {
        let again = [Again(reason: .requestTimeout, entry: .authorization, connection: .new)]
        #expect(
            all(answer(408, served: true), of: request(method)) == (method == .post || method == .patch ? [] : again)
        )
        #expect(all(answer(408, served: true), of: request(method, key: true)) == again)
        #expect(all(answer(408, served: false), of: request(method)).isEmpty)
    }

    @Test("417 goes again without the question, and only to a question")
    func expectation() {
        var asked = request(.post, .bytes(ByteChunk("x")))
        #expect(all(answer(417), of: asked).isEmpty)
        asked.expectsContinue = .seconds(1)
        let again = Again(reason: .expectation, entry: .authorization, dropsExpectation: true)
        #expect(all(answer(417), of: asked) == [again])
        asked.body = .none
        #expect(all(answer(417), of: asked).isEmpty)
    }

    @Test("a refused expectation is dropped with its header field, also by later repetitions")
    func droppedExpectation() {
        var (request, recovery) = (request(.put, .bytes(ByteChunk("x"))), WireRecovery())
        request.expectsContinue = .seconds(1)
        request.headers[.expect] = "100-continue"
        let first = recovery.next(after: answer(417), of: request)?.changed(request) ?? request
        #expect(first.expectsContinue == nil && first.headers[.expect] == nil)
        // The request is made again for its authorization, and has the field again.
        let second = recovery.next(after: failure(.unprocessed, served: true), of: request)?.changed(request) ?? request
        #expect(second.expectsContinue == nil && second.headers[.expect] == nil)
    }

    @Test("no other status has anything to do with the connection")
    func statuses() {
        for code in 200...599 where ![408, 417, 421].contains(code) {
            #expect(!WireRecovery.concerns(.init(code: code)))
            #expect(all(answer(code, served: true), of: request()).isEmpty)
        }
    }

    @Test("random ends in a row: never too often, never a once-only body twice, never an unsafe method blindly")
    func properties() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededNumbers(seed)
        for _ in 0..<20_000 {
            let method = Self.methods[Int(random.next() % 8)]
            let (hasKey, isOnce) = (random.next() % 3 == 0, random.next() % 3 == 0)
            let body: RequestBody = isOnce ? .stream(StreamBody { _, _ in }) : .bytes(ByteChunk("x"))
            var (request, recovery) = (request(method, key: hasKey, body), WireRecovery())
            if random.next() % 3 == 0 { request.expectsContinue = .seconds(1) }
            var (sends, refusals, mayHaveArrived) = (1, 0, false)
            while sends < 50 {
                if case .stream(let stream) = request.body, random.next() % 3 == 0 {
                    try await stream.contents(0, BodyWriter { _ in })
                }
                let (fate, end) = end(&random)
                if fate == .unknown { mayHaveArrived = true }
                if case .failed(let failure) = end, failure.fate == .unprocessed, failure.connectionHadServed {
                    refusals += 1
                }
                guard let approval = recovery.next(after: end, of: request) else { break }
                sends += 1
                let isSafe = hasKey || method != .post && method != .patch
                #expect(!mayHaveArrived || isSafe, "\(method) went again, seed \(seed)")
                #expect(request.body.canBeSent, "seed \(seed)")
                // A server that has answered, refused or may have read the request has seen its authorization.
                #expect(approval.entry == (fate == .unsent ? .wire : .authorization), "seed \(seed)")
                approval.change(&request)
            }
            #expect(sends - 1 - refusals <= WireRecovery.limit, "\(sends) sends, seed \(seed)")
        }
    }

    /// An end, and what it says of the request.
    private func end(_ random: inout SeededNumbers) -> (TransportFailure.Fate?, ExchangeOutcome) {
        let served = random.next() % 2 == 0
        switch random.next() % 6 {
        case 0: return (nil, answer(421, served: served))
        case 1: return (nil, answer(417, served: served))
        case 2: return (.unknown, answer(408, served: served))
        case 3: return (.unsent, failure(.unsent, served: served))
        case 4: return (.unprocessed, failure(.unprocessed, served: served))
        default: return (.unknown, failure(.unknown, served: served))
        }
    }
}

extension SendApproval {
    /// The request as the permit changes it.
    fileprivate func changed(_ request: TransportRequest) -> TransportRequest {
        var changed = request
        change(&changed)
        return changed
    }
}
