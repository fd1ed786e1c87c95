// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The connections of a stream of events or of a list's values, one after another: each is a call of its own.
///
/// A reference, since a copy for each event would take longer than reading it.
// Unchecked: ``EventSource`` passes it to one reader at a time.
final class EventConnection: @unchecked Sendable {
    /// The caller's options.
    struct Options: Sendable {
        var reconnection = Reconnection.never
        var heartbeat: Duration?
        var limit: Int
        /// Whether the responses contain the JSON values of a list that is followed, and not events.
        var followsList = false
        /// Whether a JSON document may take the place of the events.
        var acceptsJSON = false
        /// Returns the cursor with which a list continues after an error; rethrows the error to end it.
        var restart: (@Sendable (any Error) async throws -> ListCursor?)?
    }

    /// The call; `nil` for a stream that the caller has opened.
    let call: Call<Response>?
    let options: Options
    let report: EventStateReport
    private(set) var response: EventResponse?
    /// The ID from which the next connection continues; empty for none.
    private(set) var lastEventID: String
    /// The cursor with which the next request of a list continues; `nil` for the beginning.
    var cursor: ListCursor?
    /// The cursor of the last request.
    private var sentCursor: ListCursor?
    /// The moment at which the last request was made.
    private var connectedAt: Moment?
    private(set) var requestedWait: Duration?
    /// The number of connections in a row without an event.
    var failures = 0
    private(set) var hasConnected = false
    /// The request of the last connection, before any redirects.
    private(set) var firstRequest: EncodedRequest?
    /// Whether the last response is a JSON document in place of the events.
    private var isDocument = false
    /// The moment at which the deadline started.
    private(set) var started: Moment?
    /// The reason why no more events follow, once ``next()`` has returned `nil`.
    private(set) var closing = EventStreamState.Closing.finished

    /// The connections of a call.
    init(_ call: Call<Response>, _ options: Options, after cursor: ListCursor? = nil, _ report: EventStateReport) {
        (self.call, self.options, self.cursor, self.report) = (call, options, cursor, report)
        lastEventID = call.headers[.lastEventID] ?? ""
    }

    /// The connection of a stream that was opened.
    init(_ stream: ResponseStream, limit: Int, _ report: EventStateReport) {
        (call, options, self.report) = (nil, Options(limit: limit), report)
        response = EventResponse(stream, nil)
        lastEventID = ""
    }

    /// Returns the next event, after as many connections as needed.
    ///
    /// - Parameter isMarked: Whether a complete stream ends with an event that the reader has not seen.
    /// - Returns: The event; `nil` after the last.
    /// - Throws: ``CumulusError``, also for a stream that ends without the mark; `CancellationError`.
    func next(isMarked: Bool) async throws -> ReceivedEvent? {
        while true {
            try Task.checkCancellation()
            do {
                if response == nil { response = try await connected() }
                guard let response else { return nil }
                let (received, failure) = try await read(response)
                if let received { return received }
                guard reconnects else {
                    if let failure { throw failure }
                    // Without the mark, a reply that was cut off would look complete.
                    guard isMarked, !isDocument else { return nil }
                    let reason = "the stream ended before the event that marks its end"
                    let truncation = TransportFailure(.truncated, reason)
                    throw CumulusError(truncation, stage: .delivery, request: response.stream.request)
                }
                try await pause(after: failure)
            } catch let error as CumulusError where mayRestart(after: error) {
                try await restart(after: error)
            }
        }
    }

    /// Reads the next event of a connection, or its end and the temporary error that caused it.
    private func read(_ response: EventResponse) async throws -> (ReceivedEvent?, failure: (any Error)?) {
        var failure: (any Error)?
        do {
            if let received = try await received(from: response) { return (received, nil) }
        } catch let error as CumulusError where error.isConcurrentRead {
            // The other reader of the stream goes on.
            throw error
        } catch {
            failure = error
        }
        if let parser = response.stream.ahead.events {
            lastEventID = parser.lastEventID
            requestedWait = parser.retry ?? requestedWait
        }
        close()
        if let failure, !isTemporary(failure) { throw failure }
        return (nil, failure)
    }

    private func received(from response: EventResponse) async throws -> ReceivedEvent? {
        guard options.followsList || isDocument else {
            repeat {
                if let received = try arrived() { return received }
            } while try await response.fill(limit: options.limit, after: lastEventID)
            return nil
        }
        let stream = response.stream
        let isSequence = stream.mediaType?.essence == MediaType.jsonSequence.essence
        let form = isSequence ? ElementSplitter.Form.jsonSequence : .concatenatedJSON
        var reader = ElementReader(stream: stream, form: form, limit: options.limit, watch: response.watch)
        reader.dropsIncomplete = !isDocument
        return try await reader.next().map { value in
            isDocument ? ReceivedEvent(document: value, response) : ReceivedEvent(value: value, of: form, response)
        }
    }

    /// Returns the next event whose bytes have arrived; `nil` if more bytes are needed, or the response has no events.
    func arrived() throws -> ReceivedEvent? {
        guard let response, !options.followsList, !isDocument,
            let received = try response.arrived(limit: options.limit)
        else { return nil }
        failures = 0
        return received
    }

    /// Reads the end of a body after its last event, so that its connection can be used again.
    ///
    /// Only what arrives at once: the server may keep the body open for any time.
    func drain() async {
        guard let stream = response?.stream else { return }
        let watch = SilenceWatch(stream, limit: .milliseconds(100), on: stream.clock)
        watch.begin()
        defer { watch.end() }
        var count = 0
        let pieces = stream.makeAsyncIterator()
        while count < 16_384, let piece = try? await pieces.next() { count += piece.count }
    }

    /// Ends the exchange.
    func close() {
        response?.stream.cancel()
        response = nil
    }

    /// Continues a list after an error, at the cursor that the caller chooses.
    ///
    /// - Throws: The error, if the caller doesn't continue.
    func restart(after error: any Error) async throws {
        close()
        guard let restart = options.restart else { throw error }
        cursor = try await restart(error)
        // Not a progress: the wait grows until values arrive.
        sentCursor = cursor
        try await pause(after: error)
    }

    private func mayRestart(after error: CumulusError) -> Bool {
        options.restart != nil && !error.isConcurrentRead && [.status, .service, .decoding].contains(error.code)
    }

    // MARK: Connecting

    /// Whether another connection follows the end of one.
    var reconnects: Bool {
        guard let call, !isDocument else { return false }
        if options.followsList { return true }
        return options.reconnection.follows(call.method == .get, knowsID: !lastEventID.isEmpty)
    }

    /// Opens the next connection; `nil` if the server wants none.
    private func connected() async throws -> EventResponse? {
        guard let call else { return nil }
        while true {
            report.tell(.connecting)
            let clock = call.resource.clock
            let moment = clock.moment
            (started, connectedAt, sentCursor) = (started ?? moment, moment, cursor)
            do {
                let opened = try await prepared(call).stream()
                (hasConnected, firstRequest) = (true, opened.history.first?.request ?? opened.request)
                if let ended = end(of: opened) {
                    opened.cancel()
                    closing = ended
                    return nil
                }
                try requirePositiveHeartbeat(opened)
                isDocument = options.acceptsJSON && opened.mediaType?.isJSON == true
                var silence = options.heartbeat
                if isDocument {
                    silence = silence ?? call.resource.timeout
                } else if !options.followsList {
                    let types = options.acceptsJSON ? [MediaType.eventStream, .json] : [.eventStream]
                    try await opened.require(types, within: call.resource.timeout, on: clock)
                }
                report.tell(.open)
                return EventResponse(opened, silence.map { SilenceWatch(opened, limit: $0, on: clock) })
            } catch {
                guard hasConnected, reconnects, isTemporary(error) else { throw error }
                try await pause(after: error)
            }
        }
    }

    /// The reason why a response ends the stream; `nil` if it has a body.
    private func end(of opened: ResponseStream) -> EventStreamState.Closing? {
        if options.followsList { return nil }
        if opened.status == .noContent { return .noContent }
        // MCP's response to messages that need none.
        return options.acceptsJSON && opened.status == .accepted && opened.mediaType == nil ? .noContent : nil
    }

    /// Whether a list needs no wait before its next request, since the last response had news.
    func hasNews(after error: (any Error)?, at now: Moment) -> Bool {
        guard options.followsList else { return false }
        let hasMoved = cursor != sentCursor
        // Requests to a server that responds at once without news get rarer.
        let hasWaited = connectedAt.map { now - $0 >= ReconnectionDelay.standard } ?? false
        if hasMoved || hasWaited && error == nil { failures = 0 }
        return hasMoved && error == nil
    }
}

/// The cursor of a list that is followed.
struct ListCursor: Sendable, Equatable {
    /// The cursor as text.
    let text: String
    /// Changes the call so that its response continues after the cursor.
    let change: @Sendable (inout Call<Response>) -> Void

    static func == (left: ListCursor, right: ListCursor) -> Bool { left.text == right.text }
}
