// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Tracing

/// Records the parts of a call that are not exchanges: waits, refused retries, responses from a cache, joined calls.
enum CallTelemetry {
    static func observe(_ event: CallEvent) {
        switch event.kind {
        case .waited(let wait): metrics(of: event)?.waited(wait, at: event.draft.origin)
        case .retry(let decision):
            if case .budget(let origin)? = decision.obstacle { metrics(of: event)?.refusedRetry(at: origin) }
        case .delivered(let response):
            if response.storeNote?.isHit == true { metrics(of: event)?.cacheHit(at: response.request.origin) }
            link(event, to: response.request.id)
        case .streaming(let head):
            if head.storeNote?.isHit == true { metrics(of: event)?.cacheHit(at: event.draft.origin) }
        case .ended(.failed(let error as CumulusError)): link(event, to: error.request?.id)
        default: break
        }
    }

    private static func recorder(of event: CallEvent) -> TelemetryRecorder? {
        event.draft.resource.settings[key: TelemetryKey.self]?.recorder
    }

    private static func metrics(of event: CallEvent) -> ClientMetrics? { recorder(of: event)?.metrics }

    /// Records a span for a call that has joined another one, with a link to the other call's exchange.
    private static func link(_ event: CallEvent, to leader: CallID?) {
        guard let leader, leader != event.id, let recorder = recorder(of: event),
            let context = recorder.latestSpans[leader]
        else { return }
        let method = KnownMethods.name(of: event.draft.method) ?? "HTTP"
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        let elapsed = UInt64(clamping: event.elapsed.nanoseconds)
        let span = recorder.tracer.startSpan(
            "\(method) joined",
            context: ServiceContext.current ?? .topLevel,
            ofKind: .internal,
            at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: now > elapsed ? now - elapsed : 0)
        )
        span.addLink(SpanLink(context: context, attributes: [:]))
        span.end()
    }
}

extension String {
    /// Whether a store's note says that the response came from the store (RFC 9211 section 2.1).
    fileprivate var isHit: Bool { self == "hit" || utf8.starts(with: "hit;".utf8) }
}
