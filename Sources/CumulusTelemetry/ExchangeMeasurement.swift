// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Metrics
import Synchronization
import Tracing

/// The record of one exchange: its span, and its metrics, which are recorded when it ends.
final class ExchangeMeasurement: Sendable {
    private struct State {
        var hasEnded = false
        var status: Int?
        var version: String?
    }

    private let span: (any Span)?
    private let metrics: ClientMetrics?
    private let active: Meter?
    private let labels: RequestLabels
    private let clock: any RequestClock
    private let began: ContinuousClock.Instant
    private let deadline: ContinuousClock.Instant?
    private let bodySize: Int64?
    private let state = Mutex(State())

    init(
        _ span: (any Span)?,
        _ metrics: ClientMetrics?,
        _ labels: RequestLabels,
        _ request: TransportRequest
    ) {
        (self.span, self.metrics, self.labels) = (span, metrics, labels)
        (clock, began, deadline) = (request.clock, request.clock.now, request.deadlines.total)
        bodySize = request.body.length
        active = metrics?.began(labels, request)
    }

    /// Records the head of the response.
    ///
    /// - Returns: The response, whose body records its end.
    func received(_ response: TransportResponse) async -> TransportResponse {
        let status = response.head.status.code
        let version = response.head.protocolName.flatMap(ProtocolVersion.number)
        state.withLock { ($0.status, $0.version) = (status, version) }
        span?.updateAttributes { attributes in
            attributes["http.response.status_code"] = status
            if let version { attributes["network.protocol.version"] = version }
        }
        let body = response.body
        if let end = body.end {
            finish(end.facts, received: 0)
            return response
        }
        // Most small bodies have arrived as a whole, and need no wrapper.
        if body.hasArrived, let bytes = try? await body.next(), let end = body.end {
            finish(end.facts, received: Int64(bytes.count))
            return TransportResponse(head: response.head, body: ResponseBody(complete: bytes, end: end))
        }
        let recorded = ResponseBody(expectedLength: body.expectedLength, source: RecordedBody(body, self))
        return TransportResponse(head: response.head, body: recorded)
    }

    /// Ends the record of an exchange whose whole response was received.
    func finish(_ facts: ExchangeFacts, received count: Int64) {
        if let span {
            span.updateAttributes { $0.describe(peer: facts.remoteAddress) }
        }
        end(failure: nil, bodySize: count)
    }

    /// Ends the record of an exchange that failed or was cancelled.
    func end(with error: any Error) { end(failure: ExchangeFailure(error, deadline: deadline, on: clock)) }

    /// Ends the record of an exchange whose body is not read any further.
    func endEarly() { end(failure: nil) }

    private func end(failure: ExchangeFailure?, bodySize received: Int64? = nil) {
        let ended = state.withLock { state -> State? in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : state
        }
        guard let ended else { return }
        let errorType = failure?.type ?? ended.status.flatMap { $0 >= 400 ? "\($0)" : nil }
        if let span {
            if let errorType {
                span.updateAttributes { $0["error.type"] = errorType }
                span.setStatus(SpanStatus(code: .error, message: failure?.summary))
            }
            span.end()
        }
        guard let metrics else { return }
        active?.decrement()
        var outcome = ExchangeLabels(request: labels)
        (outcome.status, outcome.errorType, outcome.version) = (ended.status, errorType, ended.version)
        metrics.ended(outcome, after: clock.now - began, sent: bodySize, received: received)
    }
}

/// The body of a recorded exchange, which ends with it.
private final class RecordedBody: ResponseBodySource {
    private let body: ResponseBody
    private let exchange: ExchangeMeasurement
    private let count = Mutex<Int64>(0)

    init(_ body: ResponseBody, _ exchange: ExchangeMeasurement) { (self.body, self.exchange) = (body, exchange) }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                count.withLock { $0 += Int64(chunk.count) }
                return .bytes(chunk)
            }
            let end = body.end ?? ExchangeEnd()
            exchange.finish(end.facts, received: count.withLock(\.self))
            return .end(end)
        } catch {
            exchange.end(with: error)
            throw error
        }
    }

    func cancel() {
        body.cancel()
        exchange.endEarly()
    }
}
