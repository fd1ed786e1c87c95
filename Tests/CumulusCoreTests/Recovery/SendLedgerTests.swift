// SPDX-License-Identifier: Apache-2.0

#if CUMULUS_CHECKED
import HTTPTypes
import Testing

@testable import CumulusCore

/// What the watch of the whole suite would say: each property, kept and broken.
@Suite struct SendLedgerTests {
    private static let home = Origin(scheme: .https, host: "a.example")
    private static let other = Origin(scheme: .https, host: "b.example")
    private static let broken = SendLedger.End.failed(TransportFailure(.connectionClosed, "x"))

    private static func refused(served: Bool) -> SendLedger.End {
        var failure = TransportFailure(.connectionClosed, "x", fate: .unprocessed)
        failure.connectionHadServed = served
        return .failed(failure)
    }

    private func ledger(
        then reason: AttemptRecord.Reason? = nil,
        after end: SendLedger.End = .answered(.ok),
        _ method: HTTPRequest.Method = .get
    ) -> SendLedger {
        var (ledger, passage) = (SendLedger(), SendLedger.Passage())
        let asked = EncodedRequest(method: method, url: RequestURL(origin: Self.home, path: "/", query: nil))
        ledger.beginAttempt(asked, for: .call, isFirst: true, isDownload: false, .default)
        guard let reason else { return ledger }
        _ = ledger.begin(request(method), shown: [:], &passage)
        _ = ledger.end(end, &passage)
        ledger.beginAttempt(asked, for: reason, isFirst: false, isDownload: false, .default)
        return ledger
    }

    private func request(_ method: HTTPRequest.Method = .get, at origin: Origin = home) -> TransportRequest {
        TransportRequest(method: method, origin: origin)
    }

    @Test("a once-only body that was read doesn't go again")
    func onceOnly() throws {
        var (ledger, passage, request) = (ledger(), SendLedger.Passage(), request(.put))
        let stream = StreamBody { _, _ in }
        request.body = .stream(stream)
        let identity = ObjectIdentifier(try #require(stream.identity))
        #expect(ledger.begin(request, shown: [:], &passage) == nil)
        passage.spent = [identity]
        #expect(ledger.begin(request, shown: [:], &passage)?.contains("once-only") == true)
    }

    @Test("what isn't idempotent doesn't go again blindly, within an attempt and in the next one")
    func blindly() {
        for (method, isBad) in [(HTTPRequest.Method.post, true), (.patch, true), (.put, false), (.get, false)] {
            var (first, passage) = (ledger(), SendLedger.Passage())
            #expect(first.begin(request(method), shown: [:], &passage) == nil)
            #expect(first.end(Self.broken, &passage) == nil)
            #expect((first.begin(request(method), shown: [:], &passage) != nil) == isBad, "\(method)")
            for end in [Self.broken, .answered(.serviceUnavailable), .answered(.requestTimeout)] {
                var (later, other) = (ledger(then: .retry, after: end, method), SendLedger.Passage())
                #expect((later.begin(request(method), shown: [:], &other) != nil) == isBad, "\(method)")
            }
        }
        for end in [Self.refused(served: false), .answered(.misdirectedRequest)] {
            var (later, passage) = (ledger(then: .retry, after: end, .post), SendLedger.Passage())
            #expect(later.begin(request(.post), shown: [:], &passage) == nil)
        }
        var (redirected, passage) = (ledger(then: .redirect, .post), SendLedger.Passage())
        #expect(redirected.begin(request(.post), shown: [:], &passage) == nil)
    }

    @Test("an interceptor, a key and a rule of the caller's own may send again")
    func asked() {
        var (ledger, passage, second) = (ledger(), SendLedger.Passage(), SendLedger.Passage())
        #expect(ledger.begin(request(.post), shown: [:], &passage) == nil)
        #expect(ledger.end(Self.broken, &passage) == nil)
        #expect(ledger.begin(request(.post), shown: [:], &second) == nil)
        var keyed = request(.post)
        keyed.headers["Idempotency-Key"] = "\"1\""
        #expect(ledger.end(Self.broken, &second) == nil)
        #expect(ledger.begin(keyed, shown: [:], &second) == nil)
        var later = self.ledger(then: .retry, after: Self.broken, .post)
        var third = SendLedger.Passage()
        let asked = EncodedRequest(method: .post, url: RequestURL(origin: Self.home, path: "/", query: nil))
        let policy = RetryPolicy(decide: { _ in .again() })
        later.beginAttempt(asked, for: .retry, isFirst: false, isDownload: false, policy)
        #expect(later.begin(request(.post), shown: [:], &third) == nil)
    }

    @Test("within an attempt it goes again three times, refusals aside")
    func tooOften() {
        for isRefused in [false, true] {
            var (ledger, passage) = (ledger(), SendLedger.Passage())
            let said = (0..<6).map { _ in
                let said = ledger.begin(request(), shown: [:], &passage)
                _ = ledger.end(Self.refused(served: isRefused), &passage)
                return said != nil
            }
            #expect(said == [false, false, false, false, !isRefused, !isRefused])
        }
    }

    @Test("another origin gets harmless fields, and no proof of the first")
    func secretly() {
        var away = request(at: Self.other)
        away.offersIdentity = false
        var ledger = ledger(then: .redirect)
        func begin(_ request: TransportRequest, _ shown: HTTPFields = [:]) -> String? {
            var passage = SendLedger.Passage()
            return ledger.begin(request, shown: shown, &passage)
        }
        #expect(begin(away, [.accept: "*/*"]) == nil)
        for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization, .referer] {
            #expect(begin(away, [name: "x"])?.contains("harmless") == true, "\(name)")
        }
        away.offersIdentity = true
        #expect(begin(away) != nil)
        var proven = request()
        proven.headers[.authorization] = "x"
        #expect(begin(proven) == nil)
        away.offersIdentity = false
        away.headers[.authorization] = "x"
        #expect(begin(away) != nil)
    }

    @Test("nothing is answered that was sent after the end")
    func late() {
        for (isLate, isCancelled) in [(false, false), (true, false), (false, true)] {
            var (ledger, passage) = (ledger(), SendLedger.Passage())
            _ = ledger.begin(request(), shown: [:], &passage, isLate: isLate, isCancelled: isCancelled)
            #expect((ledger.end(.answered(.ok), &passage) != nil) == (isLate || isCancelled))
            #expect(ledger.end(Self.broken, &passage) == nil)
        }
    }

    @Test("the record has as many attempts as the transport got requests")
    func records() {
        var (ledger, passage) = (ledger(then: .retry, after: Self.broken), SendLedger.Passage())
        _ = ledger.begin(request(), shown: [:], &passage)
        #expect(ledger.compare([], hasInterceptors: false) != nil)
        var history = CallHistory()
        let asked = EncodedRequest(method: .get, url: RequestURL(origin: Self.home, path: "/", query: nil))
        for count in 1...4 {
            let records = history.records(.answered(.ok), of: asked, at: .now, .now, after: EarlierExchanges())
            #expect((ledger.compare(records, hasInterceptors: false) == nil) == (count == 2), "\(count)")
            #expect((ledger.compare(records, hasInterceptors: true) == nil) == (count > 1), "\(count)")
            history.add(.answered(.ok), of: asked, at: .now, .now, then: .retry)
        }
    }
}
#endif
