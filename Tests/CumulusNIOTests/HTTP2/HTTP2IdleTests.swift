// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusCore
import Dispatch
import Foundation
import Glibc
import HTTPTypes
import Testing

@testable import CumulusNIO

/// What a peer sends on a connection without streams, when a request that can't be sent twice comes before it is read.
@Suite(.timeLimit(.minutes(10)), .serialized) struct HTTP2IdleTests {
    /// What the peer does on its unused first connection.
    enum Deed: String, CaseIterable, Sendable {
        case closes, resets, refusesMore, refusesMoreAndCloses, pings, raisesTheWindow

        var bytes: [UInt8] {
            switch self {
            case .closes, .resets: []
            case .refusesMore, .refusesMoreAndCloses: HTTP2Bytes.goAway(1)
            case .pings: HTTP2Bytes.ping()
            case .raisesTheWindow: HTTP2Bytes.windowUpdate(0, 1)
            }
        }

        /// Whether it accepts requests afterwards.
        var isHarmless: Bool { self == .pings || self == .raisesTheWindow }
    }

    @Test("a POST doesn't leave on a connection that the peer closed, with or without GOAWAY", arguments: Deed.allCases)
    func unread(_ deed: Deed) async throws {
        let server = PlainServer(isUnix: false)
        let transport = NIOTransport(configuration: server.configuration)
        let (isServed, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first = blocking {
            let peer = server.accept()
            HTTP2Peer(peer).serve()
            isServed.signal()
            return peer
        }
        try await transport.check(request(to: server), answers: "ok")
        let peer = await first
        await blocking { isServed.waitPatiently() }

        let stop = LoopStop()
        await blocking { stop.hold() }
        HTTP2Peer(peer).send(deed.bytes)
        switch deed {
        case .closes, .refusesMoreAndCloses: close(peer)
        case .resets: PlainServer.reset(peer)
        case .refusesMore, .pings, .raisesTheWindow: break
        }
        let body = RequestBody.bytes(ByteChunk(Array("once".utf8)))
        let second = Task { try await transport.check(request(to: server, body), answers: "ok") }
        // Time to come in line before the loops read on; there is no signal for that.
        try await Task.sleep(for: .milliseconds(30))
        stop.release()
        Thread {
            HTTP2Peer(deed.isHarmless ? peer : server.accept()).serve(isFirst: !deed.isHarmless)
            isOver.signal()
        }.start()
        try await second.value
        await blocking { isOver.waitPatiently() }
        await transport.shutdown(.immediate)
    }

    private func request(to server: PlainServer, _ body: RequestBody = .none) -> TransportRequest {
        var request = server.request(.post, body: body)
        request.httpVersion = .http2
        return request
    }
}

/// The server's side of one connection, on a descriptor.
private struct HTTP2Peer {
    let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    func send(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Reads a request to its end, and answers it.
    func serve(isFirst: Bool = true) {
        var bytes: [UInt8] = []
        if isFirst {
            send(HTTP2Bytes.settings())
            read(24, into: &bytes)
        }
        while true {
            bytes = []
            read(9, into: &bytes)
            guard bytes.count == 9 else { return }
            let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
            let (type, flags) = (bytes[3], bytes[4])
            let stream = bytes[5..<9].reduce(0) { $0 << 8 | Int($1) }
            read(length, into: &bytes)
            guard type <= HTTP2Bytes.headers, flags & 1 == 1 else { continue }
            return send(HTTP2Bytes.answer(stream, "ok"))
        }
    }

    private func read(_ count: Int, into bytes: inout [UInt8]) {
        var piece = [UInt8](repeating: 0, count: max(count, 1))
        var rest = count
        while rest > 0 {
            let got = recv(descriptor, &piece, rest, 0)
            if got <= 0 { return }
            bytes += piece.prefix(got)
            rest -= got
        }
    }
}
#endif
