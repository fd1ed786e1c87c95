// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The requests' side of the connection.
extension HTTP2Connection {
    /// Whether the channel accepts frames, regardless of the windows.
    var isChannelWritable: Bool { context?.channel.isWritable == true }
    /// Whether NIOHTTP2 should get more content: what it has must not pile up there.
    private var takesContent: Bool { isChannelWritable && state.window.queued < limits.queuedBytes }

    /// Sends the head, and starts the body.
    func sendRequest(on stream: HTTP2Stream) {
        let request = stream.exchange.request
        let outgoing = stream.exchange.outgoing
        let isLarge = outgoing.largeHead != nil
        let fields = HTTP2RequestHead.fields(of: request, host: outgoing.traits.host, isLarge: isLarge)
        let isWhole =
            switch request.body {
            case .none: true
            case .bytes(let chunk): chunk.count == 0
            case .file, .stream: false
            }
        stream.exchange.fate = .unknown
        stream.exchange.facts.bytesSent += fields.approximateSize + 9
        flood.noteOpened()
        let large = HTTP2LargeHead(fields)
        if let large { largeHeads[stream.id] = large }
        opening = stream
        send(.headers(.init(headers: large?.beginning ?? fields, endStream: isWhole)), on: stream.id)
        opening = nil
        // A head that can't be written ends its exchange.
        guard streams[stream.id] === stream else { return }
        scheduleFlush()
        if isWhole { return }
        uploads.append(stream)
        switch request.body {
        case .none: break
        case .bytes(let chunk): stream.begin(chunk.byteBuffer)
        case .file(let file): stream.begin(FileSender(file, outlet: stream, eventLoop: engine.eventLoop))
        case .stream(let body):
            let framing = BodyFraming.http2(HTTP2BodyMeter(declared: body.length))
            stream.begin(StreamSender(body, framing: framing, outlet: stream, eventLoop: engine.eventLoop))
        }
    }

    /// The large head of the frame that NIOHTTP2 is just writing.
    func takeLargeHead() -> HTTP2LargeHead? {
        guard let head = writtenHead else { return nil }
        writtenHead = nil
        return head
    }

    /// A stream's head was written: content may follow.
    func wroteHead(ends: Bool, on id: HTTP2StreamID) {
        writtenHead = largeHeads.removeValue(forKey: id)
        guard let stream = streams[id] else { return }
        stream.state.beginRequest()
        // A head from within a read may be written when the read is over, and its body waits for it.
        if ends { wroteEnd(of: stream) } else { scheduleResume() }
    }

    /// Content was written.
    func wrote(_ count: Int, ends: Bool, on id: HTTP2StreamID) {
        guard let stream = streams[id] else {
            // It no longer counts as queued.
            state.window.queue(count)
            return state.window.write(count)
        }
        state.window.write(count)
        stream.state.window.write(count)
        flood.noteSent(count)
        // Sent bytes are progress; a window update alone isn't.
        stream.noteProgress()
        stream.exchange.facts.bytesSent += Int64(count) + 9
        if ends { wroteEnd(of: stream) }
        // What NIOHTTP2 held back it may write when nothing else says that there is room again.
        if !uploads.isEmpty { scheduleResume() }
    }

    private func wroteEnd(of stream: HTTP2Stream) {
        stream.state.endRequest()
        stream.exchange.requestSentAt = stream.exchange.lastActivity
    }

    /// Sends the waiting bytes of a stream, as far as the windows allow; also those not worth a frame if it is late.
    func sendPending(of stream: HTTP2Stream, isLate: Bool = false) {
        guard streams[stream.id] === stream, stream.state.isRequestBegun, !stream.isHandedOver else { return }
        var isLate = isLate
        while takesContent,
            let (piece, ends) = stream.takePending(isLate: isLate, connection: state.window, upTo: limits.queuedBytes)
        {
            isLate = false
            state.window.queue(piece.readableBytes)
            windowChanges += 1
            if ends, let trailers = stream.trailers {
                send(piece, trailers, on: stream)
            } else {
                send(.data(.init(data: .byteBuffer(piece), endStream: ends)), on: stream.id)
            }
            scheduleFlush()
        }
        if stream.isHandedOver, let index = uploads.firstIndex(where: { $0 === stream }) {
            uploads.remove(at: index)
        } else if takesContent {
            stream.watchPending()
        }
    }

    /// Sends the last bytes of a body, if any, and its trailers, which end the request.
    private func send(_ piece: ByteBuffer, _ trailers: HPACKHeaders, on stream: HTTP2Stream) {
        if piece.readableBytes > 0 { send(.data(.init(data: .byteBuffer(piece))), on: stream.id) }
        stream.exchange.facts.bytesSent += trailers.approximateSize + 9
        send(.headers(.init(headers: trailers, endStream: true)), on: stream.id)
    }

    /// Sends the waiting bytes of a stream, and asks its sender for more.
    func continueSending(_ stream: HTTP2Stream, isLate: Bool = false) {
        sendPending(of: stream, isLate: isLate)
        if stream.isWritable { stream.sender?.pump() }
    }

    /// Continues all streams that wait for the connection: those with short bodies first, the oldest of them before the
    /// others, and long ones in turn.
    ///
    /// A server that works on few requests at a time takes the oldest. It would wait in vain for their rest if the
    /// connection's window were full of parts of younger ones, which it has not begun to read.
    func resumeUploads() {
        if uploads.count == 1, let stream = uploads.first { return continueSending(stream) }
        uploadTurns += 1
        // Long ones must not wait forever either.
        if uploadTurns.isMultiple(of: 4) { resumeLong(1) }
        for stream in uploads where stream.isShort {
            guard hasRoom else { return }
            continueSending(stream)
        }
        resumeLong(uploads.count)
    }

    private var hasRoom: Bool { takesContent && state.window.free > 0 }

    private func resumeLong(_ count: Int) {
        for stream in uploads.filter({ !$0.isShort }).prefix(count) {
            guard hasRoom, let index = uploads.firstIndex(where: { $0 === stream }) else { return }
            uploads.remove(at: index)
            uploads.append(stream)
            continueSending(stream)
        }
    }

    /// Continues a stream that can send more, behind those that come first.
    func resume(_ stream: HTTP2Stream) {
        if uploads.count > 1 { resumeUploads() }
        continueSending(stream)
    }

    /// Ends the streams whose response came before the end of the request, unless the peer has reset them itself.
    func resetEnded() {
        if endedEarly.isEmpty, !mayHaveLeftBody { return }
        let ids = endedEarly
        endedEarly = []
        mayHaveLeftBody = false
        for id in ids { send(.rstStream(.cancel), on: id) }
        rest()
    }

    /// Ends a stream on this side after it was removed: NIOHTTP2 reports the end immediately, as if the peer had caused
    /// it.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        // The peer knows nothing of a stream without a request.
        if stream.exchange.fate == .unsent { return }
        send(.rstStream(code), on: stream.id)
        scheduleFlush()
        noteReset(stream)
    }

    /// Notes that the peer may count a stream for longer than this side.
    func noteReset(_ stream: HTTP2Stream) {
        guard stream.state.isRequestBegun else { return }
        state.noteReset()
        askAboutResets()
    }

    func send(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
    }

    /// Schedules a flush for the written frames, together with others written in the meantime.
    func scheduleFlush() {
        // At the end of a read NIOHTTP2 flushes by itself.
        if !isReading { scheduleResume() }
    }

    private func scheduleResume() {
        if isFlushScheduled { return }
        isFlushScheduled = true
        engine.eventLoop.execute {
            self.isFlushScheduled = false
            self.context?.flush()
            self.resumeUploads()
        }
    }
}
