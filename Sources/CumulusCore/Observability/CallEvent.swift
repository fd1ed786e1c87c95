// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

/// An event of a call.
public struct CallEvent: Sendable {
    /// The request before preflights; the same in all events of a call.
    public let draft: RequestDraft
    /// The number of the most recently sent request, counted from 1; 0 before the first.
    public let attempt: Int
    /// The time since the call began.
    public let elapsed: Duration
    /// The kind of event.
    public let kind: Kind

    /// The call's number, which redirects and repetitions keep.
    public var id: CallID { draft.id }

    /// A step of a call; more kinds may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable {
        /// The call begins; nothing has run yet.
        case started
        /// An attempt has waited this long for a permit from the ``Resource/Rules/rateLimit``.
        case waited(Duration)
        /// A request is passed to the transport, with its credentials; ``CallEvent/attempt`` is its number.
        case sending(EncodedRequest)
        /// The head of an attempt's response has arrived.
        case responded(ResponseHead)
        /// An attempt has ended without a response.
        case failed(any Error)
        /// An attempt failed in a way that may be temporary; the decision reports whether it is retried, and why.
        case retry(RetryDecision)
        /// The request, or a different one, is sent after a pause.
        case again(AttemptRecord.Reason, EncodedRequest, after: Duration)
        /// A response's body has been read to its end; the facts contain its connection, phases and bytes.
        case exchanged(ExchangeFacts)
        /// A body has made progress; only observers of ``CallEvent/Kinds/progress`` receive this event.
        case progressed(TransferProgress)
        /// Bytes of a request's body are sent; only observers of ``CallEvent/Kinds/bytes`` receive this event.
        case sent(ByteChunk)
        /// Bytes of a response's body were read, as they were received; only observers of ``CallEvent/Kinds/bytes``
        /// receive this event.
        ///
        /// Content codings are not removed, unless the transport removes them. This event also occurs for a response
        /// from a ``ResponseStore``.
        case received(ByteChunk)
        /// The response is in memory; hooks and decoding follow.
        ///
        /// It is the only event between start and end for a call that joined another call (``CallKey``).
        case delivered(Response)
        /// The response's body is passed to its reader; the call ends when the body does.
        case streaming(ResponseHead)
        /// The call has ended; no event follows.
        case ended(Outcome)
    }

    /// The outcome of a call.
    public enum Outcome: Sendable {
        /// The call ended with a response in memory or in a file, of this many bytes; `nil` if the body was not
        /// requested.
        case finished(HTTPResponse.Status, bodySize: Int64?)
        /// The call ended with a response whose reader read this many bytes of its body, perhaps not all of them.
        case streamed(HTTPResponse.Status, bytesRead: Int64)
        /// The call ended with an error.
        case failed(any Error)
        /// The call was cancelled, through its task or from outside.
        case cancelled
    }
}

extension CallEvent: Redacted {
    /// The number, request, time and event, on one line, without secrets.
    public var description: String { "#\(id) \(draft) after \(SpokenDuration(elapsed)): \(kind)" }
}

extension CallEvent.Kind: CustomStringConvertible {
    /// A description of the event, without secrets.
    public var description: String {
        switch self {
        case .started: "started"
        case .waited(let wait): "waited \(SpokenDuration(wait)) for a permit"
        case .sending(let request): "sending \(request)"
        case .responded(let head): "responded with \(head.status.code)"
        case .failed(let error): "failed: \(error)"
        case .retry(let decision): "\(decision)"
        case .again(let reason, let request, let pause):
            "sent again after \(SpokenDuration(pause)), \(reason): \(request)"
        case .exchanged(let facts): "exchanged, \(facts.bytesSent) bytes sent, \(facts.bytesReceived) received"
        case .progressed(let progress): "\(progress.direction) \(progress.completed) bytes"
        case .sent(let bytes): "sent \(bytes.count) bytes"
        case .received(let bytes): "received \(bytes.count) bytes"
        case .delivered(let response): "delivered \(response.bytes.count) bytes"
        case .streaming(let head): "streaming \(head.status.code)"
        case .ended(let outcome): "ended: \(outcome)"
        }
    }
}

extension CallEvent.Outcome: CustomStringConvertible {
    /// A description of the outcome, without secrets.
    public var description: String {
        switch self {
        case .finished(let status, let size?): "\(status.code), \(size) bytes"
        case .finished(let status, nil): "\(status.code)"
        case .streamed(let status, let count): "\(status.code), \(count) bytes read"
        case .failed(let error): "\(error)"
        case .cancelled: "cancelled"
        }
    }
}

extension CallEvent {
    /// The kinds of events that an observer receives.
    public struct Kinds: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The steps of each exchange: ``CallEvent/Kind/sending(_:)``, ``CallEvent/Kind/responded(_:)``,
        /// ``CallEvent/Kind/exchanged(_:)``, ``CallEvent/Kind/failed(_:)``.
        public static let exchanges = Kinds(rawValue: 1)
        /// The steps of the call around its exchanges: its start, waits, decisions on retries, its response, its end.
        public static let calls = Kinds(rawValue: 8)
        /// The steps of a call and its exchanges, from its start to its end.
        public static let steps: Kinds = [.exchanges, .calls]
        /// The progress of a call's bodies (``CallEvent/Kind/progressed(_:)``), which requires counting their bytes.
        public static let progress = Kinds(rawValue: 2)
        /// The bytes of a call's bodies (``CallEvent/Kind/sent(_:)``, ``CallEvent/Kind/received(_:)``), for example for
        /// a recording.
        public static let bytes = Kinds(rawValue: 4)
    }
}

extension CallEvent.Kind {
    /// The observers to which it goes.
    var kinds: CallEvent.Kinds {
        switch self {
        case .progressed: .progress
        case .sent, .received: .bytes
        case .sending, .responded, .exchanged, .failed: .exchanges
        default: .calls
        }
    }
}
