// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHTTP2

/// The requests' side of the connection.
extension HTTP2Connection {
    /// Whether there is room for more content, by the connection's window and channel.
    var isWritable: Bool { state.sendWindow > 0 && isChannelWritable }
    /// Whether the channel accepts frames, regardless of the windows.
    var isChannelWritable: Bool { context?.channel.isWritable == true }

    /// Sends the head, and starts the body.
    func sendRequest(on stream: HTTP2Stream) {
        let request = stream.exchange.request
        let fields = HTTP2RequestHead.fields(of: request, host: stream.exchange.outgoing.traits.host)
        let isWhole =
            switch request.body {
            case .none: true
            case .bytes(let chunk): chunk.count == 0
            case .file, .stream: false
            }
        stream.exchange.sent = .something
        stream.exchange.facts.bytesSent += fields.approximateSize + 9
        send(.headers(.init(headers: fields, endStream: isWhole)), on: stream.id)
        scheduleFlush()
        if isWhole {
            stream.exchange.requestSentAt = stream.exchange.stateStartedAt
            return stream.state.endRequest()
        }
        uploads.append(stream)
        switch request.body {
        case .none: break
        case .bytes(let chunk): stream.begin(BytesSender(chunk.byteBuffer, outlet: stream))
        case .file(let file): stream.begin(FileSender(file, outlet: stream, eventLoop: engine.eventLoop))
        case .stream(let body):
            let framing = BodyFraming.http2(HTTP2BodyMeter(declared: body.length))
            stream.begin(StreamSender(body, framing: framing, outlet: stream, eventLoop: engine.eventLoop))
        }
    }

    /// Sends the waiting bytes of a stream, as far as the windows allow.
    func sendPending(of stream: HTTP2Stream) {
        guard streams[stream.id] === stream, !stream.state.isRequestWhole else { return }
        while isWritable, let piece = stream.takePending(connectionWindow: state.sendWindow) {
            state.spend(piece.readableBytes)
            flood.noteProgress()
            // Sent bytes are progress; a window update alone isn't.
            stream.noteProgress()
            let isLast = stream.endsAfterPending && stream.pending.readableBytes == 0
            if isLast { stream.state.endRequest() }
            stream.exchange.facts.bytesSent += Int64(piece.readableBytes) + 9
            send(.data(.init(data: .byteBuffer(piece), endStream: isLast)), on: stream.id)
            scheduleFlush()
        }
        if stream.endsAfterPending, stream.pending.readableBytes == 0, !stream.state.isRequestWhole {
            stream.state.endRequest()
            send(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)), on: stream.id)
            scheduleFlush()
        }
        if stream.state.isRequestWhole { stream.exchange.requestSentAt = stream.exchange.lastActivity }
        if stream.state.isRequestWhole, let index = uploads.firstIndex(where: { $0 === stream }) {
            uploads.remove(at: index)
        }
    }

    /// Sends the waiting bytes of a stream, and asks its sender for more.
    func continueSending(_ stream: HTTP2Stream) {
        sendPending(of: stream)
        if stream.isWritable { stream.sender?.pump() }
    }

    /// Continues all streams that wait for the connection, in turn.
    func resumeUploads() {
        for _ in 0..<uploads.count {
            guard isWritable, let stream = uploads.first else { return }
            uploads.removeFirst()
            uploads.append(stream)
            continueSending(stream)
        }
    }

    /// Ends a stream on this side after it was removed: NIOHTTP2 reports the end immediately, as if the peer had caused
    /// it.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        send(.rstStream(code), on: stream.id)
        scheduleFlush()
    }

    func send(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }

    /// Schedules a flush for the written frames, together with others written in the meantime.
    func scheduleFlush() {
        // At the end of a read NIOHTTP2 flushes by itself.
        if isReading || isFlushScheduled { return }
        isFlushScheduled = true
        engine.eventLoop.execute {
            self.isFlushScheduled = false
            self.context?.flush()
        }
    }
}
