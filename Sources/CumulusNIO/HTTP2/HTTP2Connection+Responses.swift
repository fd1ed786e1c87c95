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
        do throws(HTTP2ProtocolError) {
            switch try stream.state.receive(content.headers, endsStream: content.endStream) {
            case .informational(let status):
                exchange.request.onInformational?(
                    HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: HTTPFields(content.headers))
                )
            case .head(let status, let length):
                exchange.receive(ResponseHead(status: status, content.headers), length: length, at: now)
                if content.endStream { complete(stream, trailers: [:], now) } else { undelivered.append(stream) }
            case .trailers:
                complete(stream, trailers: HTTPFields(trailers: content.headers), now)
            }
        } catch {
            fail(stream, .http2(error, sent: exchange.sent))
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
            if bytes.readableBytes > 0 { exchange.receive(bytes) }
            if content.endStream { complete(stream, trailers: [:], now) }
        } catch {
            fail(stream, .http2(error, sent: exchange.sent))
        }
    }

    func receiveReset(_ code: NIOHTTP2.HTTP2ErrorCode, on id: HTTP2StreamID) {
        guard let stream = streams[id] else { return }
        remove(stream)
        engine.streamEnded(self)
        // RFC 9113 section 8.7: the server has not processed it.
        if code == .refusedStream {
            engine.refused(stream.exchange, bodyHasBegun: stream.bodyHasBegun)
        } else {
            let sent = stream.exchange.sent
            let failure = TransportFailure.reset(code, hasHead: stream.state.hasHead, sent: sent)
            engine.connectionFailed(stream.exchange, failure, wasStale: false)
        }
    }

    func receiveGoAway(_ lastStreamID: Int, _ code: NIOHTTP2.HTTP2ErrorCode) {
        lastCode = code
        state.receiveGoAway(lastStreamID: lastStreamID)
        engine.connectionIsDraining(self)
        let unprocessed = streams.values.filter { state.isUnprocessed(Int($0.id)) }.sorted { $0.id < $1.id }
        for stream in unprocessed { remove(stream) }
        engine.streamEnded(self)
        for stream in unprocessed { engine.refused(stream.exchange, bodyHasBegun: stream.bodyHasBegun) }
    }

    func receive(_ settings: [HTTP2Setting]) {
        var maximumStreams: Int?
        var initialWindow: Int?
        for setting in settings {
            // RFC 9113 section 6.5.2: servers must not enable it.
            if setting.parameter == .enablePush, setting.value != 0 {
                return breakOff(.badSetting, code: .protocolError)
            }
            if setting.parameter == .maxConcurrentStreams { maximumStreams = setting.value }
            if setting.parameter == .initialWindowSize { initialWindow = setting.value }
        }
        let delta = state.receiveSettings(maximumStreams: maximumStreams, initialWindow: initialWindow)
        if delta != 0 {
            do throws(HTTP2ProtocolError) {
                for stream in streams.values { try stream.state.changeSendWindow(by: delta) }
            } catch {
                return breakOff(error, code: .flowControlError)
            }
            resumeUploads()
        }
        if maximumStreams != nil { engine.streamEnded(self) }
    }

    func receiveWindowUpdate(_ increment: Int, on id: HTTP2StreamID) {
        if id == .rootStream {
            do throws(HTTP2ProtocolError) {
                try state.receiveWindowUpdate(increment)
            } catch {
                return breakOff(error, code: Self.code(for: error))
            }
            resumeUploads()
        } else if let stream = streams[id] {
            do throws(HTTP2ProtocolError) {
                if increment == 0 { throw .emptyWindowUpdate }
                try stream.state.changeSendWindow(by: increment)
            } catch {
                let failure = TransportFailure.http2(error, sent: stream.exchange.sent)
                return fail(stream, failure, code: Self.code(for: error))
            }
            continueSending(stream)
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
            if let written = event.outboundWindowSize { stream.state.noteWritten(window: written) }
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
        remove(stream)
        // The request body is no longer needed (RFC 9113 section 8.1).
        if !isRequestWhole { reset(stream, .cancel) }
        engine.remove(exchange)
        // Before the caller wakes up, so that its next request finds room.
        engine.streamEnded(self)
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
        engine.streamEnded(self)
        engine.connectionFailed(stream.exchange, failure, wasStale: false)
    }

    func remove(_ stream: HTTP2Stream) {
        guard streams.removeValue(forKey: stream.id) != nil else { return }
        state.close(unwritten: stream.state.unwritten)
        if !stream.state.hasEnded { flood.noteCancelled(window: limits.streamWindow) }
        stream.stopSending()
        if let index = uploads.firstIndex(where: { $0 === stream }) { uploads.remove(at: index) }
    }
}
