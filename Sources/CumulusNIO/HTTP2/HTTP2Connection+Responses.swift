// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The responses' side of the connection.
extension HTTP2Connection {
    func receive(_ content: HTTP2Frame.FramePayload.Headers, on id: HTTP2StreamID) {
        guard let stream = streams[id] else { return }
        let exchange = stream.exchange
        let now = exchange.request.clock.moment
        exchange.noteReceived(at: now)
        exchange.facts.bytesReceived += content.headers.approximateSize + 9
        if !stream.state.hasBegun { exchange.facts.phases.firstByte = now - exchange.startedAt }
        if !exchange.hasHead {
            stream.state.noteProgress(sent: exchange.facts.bytesSent, after: now - exchange.stateStartedAt)
        }
        do throws(HTTP2ProtocolError) {
            switch try stream.state.receive(content.headers, endsStream: content.endStream) {
            case .informational(let status):
                exchange.noteInformational(at: now)
                exchange.request.onInformational?(
                    HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: HTTPFields(content.headers))
                )
            case .head(let status, let length):
                hasAnswered = true
                stream.isRefused = status >= 400
                // It isn't the one to ask here (RFC 9110 section 15.5.20); a new connection may lead to another server.
                if status == 421, exchange.request.connection == .any, !state.isDraining {
                    state.drain()
                    engine.connectionIsDraining(self)
                }
                let head = ResponseHead(status: status, content.headers, connectionHadServed: stream.isReused)
                exchange.receive(head, length: length, at: now)
                if content.endStream { complete(stream, trailers: [:], now) } else { undelivered.append(stream) }
                engine.recordResponse(to: exchange)
            case .trailers:
                complete(stream, trailers: HTTPFields(trailers: content.headers), now)
            }
        } catch {
            fail(stream, .http2(error, fate: exchange.fate))
        }
    }

    func receive(_ content: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID) {
        guard let stream = streams[id], case .byteBuffer(let bytes) = content.data else { return }
        let exchange = stream.exchange
        let now = exchange.request.clock.moment
        exchange.noteReceived(at: now)
        exchange.facts.bytesReceived += Int64(bytes.readableBytes) + 9
        do throws(HTTP2ProtocolError) {
            try stream.state.receive(bytes.readableBytes, endsStream: content.endStream)
        } catch {
            return fail(stream, .http2(error, fate: exchange.fate))
        }
        if bytes.readableBytes > 0 {
            flood.noteProgress()
            exchange.receive(bytes)
        } else if !content.endStream, !stream.state.allowsEmptyFrame(), !flood.allowsOverhead(at: .now) {
            return breakOff(.flood(.emptyContent), code: .enhanceYourCalm)
        }
        if content.endStream { complete(stream, trailers: [:], now) }
    }

    func receiveReset(_ code: NIOHTTP2.HTTP2ErrorCode, on id: HTTP2StreamID) {
        if endedEarly.remove(id) != nil { return engine.streamsChanged(self) }
        guard let stream = streams[id] else { return }
        remove(stream)
        let exchange = stream.exchange
        // RFC 9113 section 8.7: the server has not processed it, nor what is not for HTTP/2.
        let needsHTTP1 = code == .http11Required && !stream.state.hasHead && engine.takesHTTP1(exchange)
        let isUnprocessed = code == .refusedStream || needsHTTP1
        if !isUnprocessed { noteFailure() }
        engine.streamsChanged(self)
        if isUnprocessed {
            engine.refused(exchange, afterAnswers: needsHTTP1)
        } else {
            let failure = TransportFailure.reset(code, hasHead: stream.state.hasHead, fate: exchange.fate)
            engine.connectionFailed(exchange, failure)
        }
    }

    func receiveGoAway(_ lastStreamID: Int, _ code: NIOHTTP2.HTTP2ErrorCode) {
        let isFirstError = code.endsConnection && lastCode?.endsConnection != true
        // The first error is the reason for the end.
        if lastCode?.endsConnection != true { lastCode = code }
        state.receiveGoAway(lastStreamID: lastStreamID)
        // The number may also be a first notice, which is as high as it can be.
        if lastStreamID > 0, lastStreamID < 2 * state.streamsOpened { hasAnswered = true }
        engine.connectionIsDraining(self)
        if isFirstError {
            engine.recordLostConnection(under: streams.values.map(\.exchange))
            closeWhenSilent()
        }
        let unprocessed = streams.values.filter { state.isUnprocessed(Int($0.id)) }.sorted { $0.id < $1.id }
        for stream in unprocessed { remove(stream) }
        engine.streamsChanged(self)
        for stream in unprocessed {
            let needsHTTP1 = code == .http11Required && engine.takesHTTP1(stream.exchange)
            let afterAnswers = needsHTTP1 || hasAnswered
            engine.refused(stream.exchange, afterAnswers: afterAnswers)
        }
    }

    func receive(_ settings: [HTTP2Setting]) {
        var maximumStreams: Int?
        var initialWindow: Int?
        var largestHead: Int?
        for setting in settings {
            // RFC 9113 section 6.5.2: servers must not enable it.
            if setting.parameter == .enablePush, setting.value != 0 {
                return breakOff(.badSetting, code: .protocolError)
            }
            if setting.parameter == .maxConcurrentStreams { maximumStreams = setting.value }
            if setting.parameter == .initialWindowSize { initialWindow = setting.value }
            if setting.parameter == .maxHeaderListSize { largestHead = setting.value }
        }
        let delta = state.receiveSettings(
            maximumStreams: maximumStreams,
            initialWindow: initialWindow,
            largestHead: largestHead
        )
        if delta != 0 {
            do throws(HTTP2ProtocolError) {
                for stream in streams.values { try stream.state.window.change(by: delta) }
            } catch {
                return breakOff(error, code: .flowControlError)
            }
            resumeUploads()
        }
        sendHeldRequest()
        // The first ones raise the limit even if they name none.
        engine.streamsChanged(self)
    }

    func receiveWindowUpdate(_ increment: Int, on id: HTTP2StreamID) {
        windowChanges += 1
        if id == .rootStream {
            do throws(HTTP2ProtocolError) {
                try state.window.grow(by: increment)
            } catch {
                return breakOff(error, code: Self.code(for: error))
            }
            resumeUploads()
        } else if let stream = streams[id] {
            do throws(HTTP2ProtocolError) {
                try stream.state.window.grow(by: increment)
            } catch {
                let failure = TransportFailure.http2(error, fate: stream.exchange.fate)
                return fail(stream, failure, code: Self.code(for: error))
            }
            resume(stream)
        }
    }

    private static func code(for error: HTTP2ProtocolError) -> NIOHTTP2.HTTP2ErrorCode {
        error == .windowTooLarge ? .flowControlError : .protocolError
    }

    /// Records NIOHTTP2's windows, which include padding and frames for ended streams.
    func noteWindow(_ event: NIOHTTP2WindowUpdatedEvent) {
        if event.streamID == .rootStream {
            if let remaining = event.inboundWindowSize, let credit = state.credit(forWindow: remaining) {
                send(.windowUpdate(windowSizeIncrement: credit), on: .rootStream)
                scheduleFlush()
            }
        } else if let stream = streams[event.streamID] {
            if let remaining = event.inboundWindowSize {
                stream.state.noteReceiveWindow(remaining)
                stream.returnCredit()
            }
        }
    }

    /// Lets the peer send more bytes on a stream.
    func returnCredit(_ credit: Int, to stream: HTTP2Stream) {
        guard streams[stream.id] === stream else { return }
        send(.windowUpdate(windowSizeIncrement: credit), on: stream.id)
        scheduleFlush()
    }

    // MARK: The end of a stream

    private func complete(_ stream: HTTP2Stream, trailers: HTTPFields, _ now: Moment) {
        let exchange = stream.exchange
        exchange.facts.phases.lastByte = now - exchange.startedAt
        let isRequestWhole = stream.state.isRequestWhole
        exchange.facts.isBodyCut = !isRequestWhole
        remove(stream)
        // The request body is no longer needed (RFC 9113 section 8.1), and nothing of it may follow.
        if !isRequestWhole {
            endedEarly.insert(stream.id)
        } else if stream.isRefused, exchange.outgoing.hasRemainder {
            mayHaveLeftBody = true
        }
        engine.remove(exchange)
        // Before the caller wakes up, so that its next request finds room.
        engine.streamsChanged(self)
        exchange.finish(trailers: trailers)
    }

    /// Ends a stream and fails its exchange.
    func fail(
        _ stream: HTTP2Stream,
        _ failure: TransportFailure,
        isReset: Bool = false,
        code: NIOHTTP2.HTTP2ErrorCode = .protocolError
    ) {
        guard streams[stream.id] === stream else { return }
        remove(stream)
        if !isReset { reset(stream, failure.kind == .requestBody ? .cancel : code) }
        engine.streamsChanged(self)
        engine.connectionFailed(stream.exchange, failure)
    }

    func remove(_ stream: HTTP2Stream) {
        guard streams.removeValue(forKey: stream.id) != nil else { return }
        if stream === heldStream {
            heldStream = nil
            return state.withdraw()
        }
        state.close(unwritten: stream.state.window.queued)
        largeHeads[stream.id] = nil
        if !stream.state.hasEnded { flood.noteCancelled(window: limits.streamWindow) }
        stream.stopSending()
        if let index = uploads.firstIndex(where: { $0 === stream }) { uploads.remove(at: index) }
    }
}
