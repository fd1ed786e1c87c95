// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization

/// A proxy on 127.0.0.1 that opens tunnels to ports of this machine for any host name, and records what it sees.
final class TunnelProxy: Sendable {
    /// The record so far.
    struct Record {
        /// The heads of the requests for tunnels.
        var heads: [String] = []
        /// The beginning of what clients sent through.
        var sent: [UInt8] = []
    }

    let port: Int
    private let listener: any Channel
    private let seen: Mutex<Record>

    var record: Record { seen.withLock(\.self) }

    private init(_ listener: any Channel, _ ledger: Ledger) {
        self.listener = listener
        port = listener.localAddress?.port ?? 0
        seen = Mutex(Record())
        ledger.note = { [weak self] change in self?.seen.withLock { change(&$0) } }
    }

    deinit { listener.close(promise: nil) }

    /// Listens; responds to each request with this text before the tunnel begins.
    static func start(answer: String = "HTTP/1.1 200 Connection established\r\n\r\n") async throws -> TunnelProxy {
        let ledger = Ledger()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Side(ledger, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TunnelProxy(listener, ledger)
    }

    /// The shared record of connections.
    // Unchecked: set once, before anyone connects.
    private final class Ledger: @unchecked Sendable {
        var note: (@Sendable (_ change: (inout Record) -> Void) -> Void)?
    }

    /// One side of a tunnel: bytes that arrive here are passed to the other side.
    private final class Side: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let ledger: Ledger?
        private let answer: String
        private var head = ""
        private var other: (any Channel)?
        private var waiting = ByteBuffer()
        private var isAsked = false

        init(_ ledger: Ledger?, answer: String = "", other: (any Channel)? = nil) {
            self.ledger = ledger
            self.answer = answer
            self.other = other
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            if ledger != nil, !isAsked { return readHead(&bytes, context) }
            ledger?.note? { if $0.sent.count < 65_536 { $0.sent += bytes.readableBytesView } }
            if let other { other.writeAndFlush(bytes, promise: nil) } else { waiting.writeBuffer(&bytes) }
        }

        func channelInactive(context: ChannelHandlerContext) { other?.close(promise: nil) }

        private func readHead(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
            head += bytes.readString(length: bytes.readableBytes) ?? ""
            guard head.hasSuffix("\r\n\r\n") else { return }
            isAsked = true
            let head = head
            ledger?.note? { $0.heads.append(head) }
            let authority = head.split(separator: " ").dropFirst().first ?? ""
            guard let port = Int(authority.split(separator: ":").last ?? "") else {
                return context.close(promise: nil)
            }
            let channel = context.channel
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { end in
                    end.eventLoop.makeCompletedFuture {
                        try end.pipeline.syncOperations.addHandler(Side(nil, other: channel))
                    }
                }
                .connect(host: "127.0.0.1", port: port).assumeIsolated().whenComplete { result in
                    guard case .success(let end) = result else { return channel.close(promise: nil) }
                    self.other = end
                    channel.writeAndFlush(ByteBuffer(string: self.answer), promise: nil)
                    if self.waiting.readableBytes > 0 { end.writeAndFlush(self.waiting, promise: nil) }
                }
        }
    }
}
