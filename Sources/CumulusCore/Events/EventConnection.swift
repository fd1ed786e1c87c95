// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The connections of an event stream, one after another: each is a call of its own.
struct EventConnection: Sendable {
    /// The caller's options.
    struct Options: Sendable {
        var reconnection = Reconnection.never
        var heartbeat: Duration?
        var limit: Int
    }

    /// The call; `nil` for a stream that the caller has opened.
    private let call: Call<Response>?
    private let options: Options
    private let report: EventStateReport
    private var stream: ResponseStream?
    private var watch: SilenceWatch?
    /// The ID from which the next connection continues; empty for none.
    private var lastEventID: String
    private var requestedWait: Duration?
    /// The number of connections in a row without an event.
    private var failures = 0
    private var hasConnected = false
    /// The request of the last connection.
    private var request: EncodedRequest?
    /// The moment at which the deadline started.
    private var started: Moment?
    /// The reason why no more events follow, once ``next()`` has returned `nil`.
    private(set) var closing = EventStreamState.Closing.finished

    /// The connections of a call.
    init(_ call: Call<Response>, _ options: Options, _ report: EventStateReport) {
        (self.call, self.options, self.report) = (call, options, report)
        lastEventID = call.headers[.lastEventID] ?? ""
    }

    /// The connection of a stream that was opened.
    init(_ stream: ResponseStream, limit: Int, _ report: EventStateReport) {
        (call, options, self.report) = (nil, Options(limit: limit), report)
        self.stream = stream
        lastEventID = ""
    }

    /// Returns the next event, after as many connections as needed.
    ///
    /// - Parameter isMarked: Whether a complete stream ends with an event that the reader has not seen.
    /// - Returns: The event; `nil` after the last.
    /// - Throws: ``CumulusError``, also for a stream that ends without the mark; `CancellationError`.
    mutating func next(isMarked: Bool) async throws -> ReceivedEvent? {
        while true {
            try Task.checkCancellation()
            if stream == nil { stream = try await connected() }
            guard let stream else { return nil }
            let failure: (any Error)?
            do {
                let reader = EventReader(stream, limit: options.limit, after: lastEventID, watch)
                if let received = try await reader.next() {
                    failures = 0
                    return received
                }
                failure = nil
            } catch let error as CumulusError where error.isConcurrentRead {
                // The other reader of the stream goes on.
                throw error
            } catch {
                failure = error
            }
            if let parser = stream.ahead.events {
                lastEventID = parser.lastEventID
                requestedWait = parser.retry ?? requestedWait
            }
            close()
            if let failure, !isTemporary(failure) { throw failure }
            guard reconnects else {
                if let failure { throw failure }
                // Without the mark, a reply that was cut off would look complete.
                guard isMarked else { return nil }
                let truncation = TransportFailure(.truncated, "the stream ended before the event that marks its end")
                throw CumulusError(truncation, stage: .delivery, request: stream.request)
            }
            try await pause(after: failure)
        }
    }

    /// Ends the exchange.
    mutating func close() {
        stream?.cancel()
        (stream, watch) = (nil, nil)
    }

    // MARK: Connecting

    private var reconnects: Bool {
        call.map { options.reconnection.follows($0.method == .get, knowsID: !lastEventID.isEmpty) } ?? false
    }

    /// Opens the next connection; `nil` if the server wants none.
    private mutating func connected() async throws -> ResponseStream? {
        guard let call else { return nil }
        while true {
            report.tell(.connecting)
            let clock = call.resource.clock
            started = started ?? clock.moment
            do {
                let opened = try await prepared(call).stream()
                (hasConnected, request) = (true, opened.request)
                if opened.status == .noContent {
                    opened.cancel()
                    closing = .noContent
                    return nil
                }
                try requirePositiveHeartbeat(opened)
                try await opened.requireEvents(within: call.resource.timeout, on: clock)
                watch = options.heartbeat.map { SilenceWatch(opened, limit: $0, on: clock) }
                report.tell(.open)
                return opened
            } catch {
                guard hasConnected, reconnects, isTemporary(error) else { throw error }
                try await pause(after: error)
            }
        }
    }

    private func requirePositiveHeartbeat(_ opened: ResponseStream) throws {
        guard let heartbeat = options.heartbeat, heartbeat <= .zero else { return }
        opened.cancel()
        let failure = TransportFailure(.invalidUse, "the heartbeat of an event stream must be longer than zero")
        throw CumulusError(failure, stage: .delivery, request: opened.request)
    }

    /// The call for the next connection, with the settings that its resource has now.
    private func prepared(_ call: Call<Response>) -> Call<Response> {
        var call = call
        let settings = call.resource.snapshot
        let inherited = settings.value(HeadersKey.self)
        if call.headers.isUnsaid(.accept), inherited.isUnsaid(.accept) {
            call.headers[.accept] = MediaType.eventStream.description
        }
        if call.headers.isUnsaid(.cacheControl), inherited.isUnsaid(.cacheControl),
            settings.value(CachePolicyKey.self).directive == nil
        {
            call.headers[.cacheControl] = "no-store"
        }
        if hasConnected {
            if options.reconnection == .byGet { (call.method, call.payload) = (.get, .none) }
            // A redirect to another origin removes it, like all fields that may reveal something.
            let canBeSent = !lastEventID.isEmpty && HTTPField.isValidValue(lastEventID)
            call.headers[.lastEventID] = canBeSent ? lastEventID : nil
        }
        let left = settings.value(DeadlineKey.self).map { $0 - elapsed(on: call.resource.clock) }
        let headTime = settings.value(ResponseTimeoutKey.self) ?? settings.value(TimeoutKey.self)
        return call.with {
            // A stream may be silent for any time after its head, unless `heartbeat:` limits it.
            ($0.responseTimeout, $0.timeout, $0.minimumRate) = (headTime, nil, nil)
            if let left { $0.deadline = left }
            // The first connection is retried like any other call. The wait before further ones grows here.
            if hasConnected { $0.retry = .never }
        }
    }

    private func elapsed(on clock: any RequestClock) -> Duration { started.map { clock.moment - $0 } ?? .zero }

    // MARK: Waiting

    private var policy: RetryPolicy { call?.resource.retry ?? .default }

    private func isTemporary(_ error: any Error) -> Bool {
        guard let error = error as? CumulusError else { return false }
        // A server that ends a stream, or is restarted, rarely completes the compressed data.
        if let problem = error.cause as? ContentCodingProblem, problem.kind == .truncated { return true }
        return error.isTransient(policy.statuses.contains)
    }

    /// Waits before the next connection.
    ///
    /// - Throws: The error if the server requests a wait that is too long; the deadline's error if that passes first.
    private mutating func pause(after error: (any Error)?) async throws {
        guard let call else { return }
        let policy = policy
        var timing: ServerTiming?
        if let response = (error as? CumulusError)?.response {
            timing = ServerTiming(response.headers, status: response.status, now: Date())
        }
        if let error, let wait = timing?.wait, let most = policy.maxWait, wait > most { throw error }
        repeat {
            failures += 1
            let delay = ReconnectionDelay(backoff: policy.backoff, requested: requestedWait)
            try await pause(for: max(delay.wait(before: failures), timing?.wait ?? .zero), after: error, call)
        } while !takesRetry(of: call, policy, after: error)
    }

    private func pause(for wait: Duration, after error: (any Error)?, _ call: Call<Response>) async throws {
        let clock = call.resource.clock
        let until = clock.now.advanced(by: wait)
        report.tell(.waiting(until: until, after: error))
        guard let deadline = call.resource.deadline, let started else { return try await clock.sleep(until: until) }
        let end = started + deadline
        try await clock.sleep(until: min(until, end.instant))
        if clock.moment >= end {
            let start = CallStart(started: started, deadline: deadline, observation: nil)
            throw CumulusError(start.deadlineFailure(on: clock), stage: .transmission, request: request)
        }
    }

    /// Whether the origin's budget has a retry left; if not, the wait grows, so that many streams don't overload it.
    private func takesRetry(of call: Call<Response>, _ policy: RetryPolicy, after error: (any Error)?) -> Bool {
        guard let budget = policy.budget, let origin = call.resource.place.origin else { return true }
        let context = call.resource.snapshot.context
        let cost = (error as? CumulusError)?.code == .timeout ? 2.0 : 1
        let (load, now) = (context.callList.load, call.resource.clock.moment)
        return context.retryBudgets.take(cost, from: origin, of: budget, load: load, at: now)
    }
}

extension Headers.Name {
    /// `Last-Event-ID`, WHATWG HTML, section "Server-sent events".
    static let lastEventID = Self("Last-Event-ID")
}

extension ResponseStream {
    /// Requires the media type of event streams.
    ///
    /// - Throws: ``CumulusError`` with the first 64 KiB of another document: the service's own error if a decoder finds
    ///   it there, otherwise ``CumulusError/Code/decoding``.
    fileprivate func requireEvents(within limit: Duration?, on clock: any RequestClock) async throws {
        let mediaType = headers[.contentType].flatMap { MediaType(parsing: $0) }
        if mediaType?.essence == MediaType.eventStream.essence { return }
        let watch = limit.map { SilenceWatch(self, limit: $0, on: clock) }
        let body = await excerpt(watch)
        cancel()
        try Task.checkCancellation()
        let response = response(with: body)
        if let failure = response.failure { throw failure }
        let name = mediaType.map { "of the type \($0.essence)" } ?? "without a media type"
        let problem = CodingProblem("the response is \(name), not text/event-stream")
        throw Stage.describe(problem, .decoding, .decoding, request: request, response: response)
    }

    /// The beginning of the body, as far as it arrives.
    private func excerpt(_ watch: SilenceWatch?) async -> CollectedBody {
        var bytes: [UInt8] = []
        let iterator = makeAsyncIterator()
        // For all of it: a server that sends a byte now and then must not hold the connection.
        watch?.begin()
        defer { watch?.end() }
        while bytes.count < Delivery.errorLimit {
            guard let piece = try? await iterator.next() else { break }
            piece.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(Delivery.errorLimit - bytes.count)) }
        }
        return CollectedBody(bytes: ByteChunk(bytes), isComplete: end != nil)
    }
}
