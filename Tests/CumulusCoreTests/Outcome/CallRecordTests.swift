// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// The log of a call, without a call.
@Suite struct CallRecordTests {
    private static let started = Moment.now
    private static let request = EncodedRequest(
        method: .get,
        url: RequestURL(origin: Origin(scheme: .https, host: "a.example"), path: "/", query: nil)
    )

    private static func failure(_ fate: TransportFailure.Fate) -> CumulusError {
        CumulusError(TransportFailure(.connectionClosed, "closed", fate: fate), stage: .transmission, request: request)
    }

    private static func numbers(_ record: borrowing CallRecord) -> [Int] {
        record.attempts(at: started + .seconds(9)).map(\.number)
    }

    @Test("overlapping exchanges are listed in the order of their beginnings")
    func order() {
        let record = CallRecord(started: Self.started)
        let all = (1...4).map { _ in record.begin(.interceptor, Self.request, from: Self.started) }
        for index in [2, 0, 3, 1] { record.end(all[index], .responded(.ok), at: nil) }
        let numbers = Self.numbers(record)
        #expect(numbers == [1, 2, 3, 4])
    }

    @Test("of many exchanges the first 8 and the last 25 are kept")
    func bound() {
        let record = CallRecord(started: Self.started)
        for _ in 1...100 { record.end(record.begin(.retry, Self.request, from: nil), .responded(.ok), at: nil) }
        let (numbers, count) = (Self.numbers(record), record.count)
        #expect(numbers == Array(1...8) + Array(76...100) && count == 100)
    }

    @Test("an exchange lasts until it is closed, or else until now, and one that is closed stays as it was")
    func durations() {
        let record = CallRecord(started: Self.started)
        let second = Duration.seconds(1)
        let first = record.begin(.call, Self.request, from: nil)
        record.end(first, .responded(.serviceUnavailable), at: nil)
        record.close(first.number, at: Self.started + second)
        record.close(first.number, at: Self.started + second * 5)
        let later = record.begin(.retry, Self.request, from: Self.started + second * 3)
        record.end(later, .responded(.ok), at: nil)
        let elapsed = record.attempts(at: Self.started + second * 9).map(\.elapsed)
        #expect(elapsed == [second, second * 6])
    }

    @Test("a body that breaks off changes the entry of its own exchange, and may have taken effect")
    func brokenBody() {
        let record = CallRecord(started: Self.started)
        let all = (1...2).map { _ in record.begin(.call, Self.request, from: nil) }
        for exchange in all { record.end(exchange, .responded(.ok), at: nil) }
        let before = record.mayHaveTakenEffect
        record.breakOff(1, Self.failure(.unknown), at: Self.started)
        let outcomes = record.attempts(at: Self.started).map { if case .failed = $0.outcome { "failed" } else { "ok" } }
        let after = record.mayHaveTakenEffect
        #expect(outcomes == ["failed", "ok"] && !before && after)
    }

    @Test("an exchange may have taken effect while it is out, or if its response is lost or about begun work")
    func effects() {
        let cases: [(AttemptRecord.Outcome, AttemptRecord.Reason?, Bool)] = [
            (.responded(.ok), nil, false), (.responded(.badGateway), nil, true),
            (.responded(.gatewayTimeout), nil, true),
            (.responded(.misdirectedRequest), .misdirected, false),
            (.responded(.requestTimeout), .requestTimeout, true),
            (.failed(Self.failure(.unsent)), .retry, false), (.failed(Self.failure(.unprocessed)), nil, false),
            (.failed(Self.failure(.unknown)), nil, true), (.failed(CancellationError()), nil, true),
        ]
        for (outcome, next, isExpected) in cases {
            let record = CallRecord(started: Self.started)
            let exchange = record.begin(.call, Self.request, from: nil)
            let whileOut = record.mayHaveTakenEffect
            record.end(exchange, outcome, at: nil)
            record.close(exchange.number, at: Self.started, for: next)
            let (all, own) = (record.mayHaveTakenEffect, record.mayHaveTakenEffect(in: 1..<2))
            let others = record.mayHaveTakenEffect(in: 2..<9)
            #expect(whileOut && all == isExpected && own == isExpected && !others, "\(outcome)")
        }
    }

    @Test("a request may have arrived while an exchange is running, even if another one was not sent")
    func running() {
        let record = CallRecord(started: Self.started)
        let (first, second) = (
            record.begin(.call, Self.request, from: nil), record.begin(.interceptor, Self.request, from: nil)
        )
        record.end(second, .failed(Self.failure(.unsent)), at: nil)
        let whileRunning = record.mayHaveArrived(since: 1)
        record.end(first, .failed(Self.failure(.unsent)), at: nil)
        let afterwards = record.mayHaveArrived(since: 1)
        #expect(whileRunning && !afterwards)
    }

    @Test("an entry for which nothing was sent may not have arrived")
    func unsent() {
        let record = CallRecord(started: Self.started)
        let number = record.add(.call, Self.request, .failed(Self.failure(.unknown)), from: nil)
        let (hasEffect, hasArrived) = (record.mayHaveTakenEffect, record.mayHaveArrived(since: 1))
        #expect(number == 1 && !hasEffect && !hasArrived)
        record.end(record.begin(.retry, Self.request, from: nil), .responded(.ok), at: nil)
        let arrived = (1...3).map { record.mayHaveArrived(since: $0) }
        #expect(arrived == [true, true, false])
    }

    @Test("an error gets the entries if there are several or a decision, and that of its exchange is the last one")
    func errors() throws {
        let record = CallRecord(started: Self.started)
        record.end(record.begin(.call, Self.request, from: nil), .responded(.ok), at: nil)
        func completed(_ number: Int?) throws -> CumulusError {
            var error = Self.failure(.unknown)
            error.exchange = number
            let completed = record.completed(error, at: Self.started)
            return try #require(completed as? CumulusError)
        }
        #expect(try completed(1).attempts.isEmpty)
        #expect(try completed(1).exchange == nil)
        record.note(.stop(.body, because: "x"), of: 1)
        #expect(try completed(1).attempts.map(\.retry?.obstacle) == [.body])
        record.end(record.begin(.resume, Self.request, from: nil), .responded(.ok), at: nil)
        #expect(try completed(1).attempts.map(\.number) == [2, 1])
        #expect(try completed(nil).attempts.map(\.number) == [1, 2])
        var cause = Self.failure(.unknown)
        cause.exchange = 1
        let outer = CumulusError(.incomplete, stage: .delivery, "x", cause: cause)
        let wrapped = record.completed(outer, at: Self.started) as? CumulusError
        #expect(wrapped?.attempts.map(\.number) == [2, 1])
        let cancelled = record.completed(CancellationError(), at: Self.started)
        #expect(cancelled is CancellationError)
    }

    @Test("a body belongs to one exchange, and what wraps it belongs to the same")
    func bodies() async throws {
        let body = ResponseBody(complete: ByteChunk("abc"))
        #expect(body.exchange == nil)
        #expect(body.belonging(to: 3) === body)
        #expect(body.exchange == 3)
        let wrapped = body.wrapped(by: Forwarding(body))
        #expect(wrapped.exchange == 3 && wrapped.expectedLength == 3)
        body.leaveExchange()
        #expect(body.exchange == nil && wrapped.exchange == 3)

        // A stub may return the same empty body for each request.
        let empty = ResponseBody(complete: .empty)
        let first = empty.belonging(to: 1)
        let second = empty.belonging(to: 2)
        #expect(first.exchange == 1 && second.exchange == 2)
        #expect(try await second.next() == nil)
    }

    private final class Forwarding: ResponseBodySource {
        private let body: ResponseBody

        init(_ body: ResponseBody) { self.body = body }

        func next() async throws -> ResponseBodyElement {
            try await body.next().map { .bytes($0) } ?? .end(ExchangeEnd())
        }

        func cancel() { body.cancel() }
    }
}
