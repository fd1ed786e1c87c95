// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOPosix

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One client of a loopback proxy: detects its protocol, and connects it.
final class ProxyClientSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum State {
        case undecided
        /// SOCKS 5 before its request; whether the client has authenticated.
        case socks5(isProved: Bool)
        /// Forwards requests; `rest` bytes of a body are still expected.
        case forwarding(rest: Int)
        case tunnelled
        case over
    }

    private let ledger: ProxyLedger
    private let configuration: LoopbackProxy.Configuration
    private var state = State.undecided
    private var waiting = ByteBuffer()
    private var server: (any Channel)?
    private var outgoing: [ByteBuffer] = []

    init(_ ledger: ProxyLedger, _ configuration: LoopbackProxy.Configuration) {
        self.ledger = ledger
        self.configuration = configuration
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if case .tunnelled = state {
            ledger.noteSent(bytes)
            return send(bytes)
        }
        waiting.writeBuffer(&bytes)
        while step(context) {}
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .over
        server?.close(promise: nil)
        context.fireChannelInactive()
    }

    /// Processes the received bytes as far as possible; returns whether it made progress.
    private func step(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .undecided:
            guard let first: UInt8 = waiting.getInteger(at: waiting.readerIndex) else { return false }
            switch first {
            case 4: return readSOCKS4(context)
            case 5: return readMethods(context)
            default: return readHead(context)
            }
        case .socks5(let isProved): return isProved ? readRequest(context) : readUser(context)
        case .forwarding(rest: 0): return readHead(context)
        case .forwarding(let rest):
            guard let piece = waiting.readSlice(length: min(rest, waiting.readableBytes)), piece.readableBytes > 0
            else {
                return false
            }
            state = .forwarding(rest: rest - piece.readableBytes)
            send(piece)
            return true
        case .tunnelled, .over: return false
        }
    }

    // MARK: HTTP

    private func readHead(_ context: ChannelHandlerContext) -> Bool {
        let view = waiting.readableBytesView
        let end = Array("\r\n\r\n".utf8)
        guard let start = view.indices.first(where: { view[$0...].starts(with: end) }),
            let head = waiting.readString(length: start - view.startIndex + 4)
        else { return false }
        ledger.note { $0.heads.append(head) }
        guard isWelcome(head) else {
            refuse(
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n",
                context
            )
            return false
        }
        let words = head.parts(at: "\r", most: 2)[0].parts(at: " ")
        guard words.count == 3 else {
            refuse("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", context)
            return false
        }
        if words[0] == "CONNECT" {
            ledger.note { $0.targets.append(String(words[1])) }
            connect(toPortOf: words[1], response: ByteBuffer(string: configuration.response), context)
            return false
        }
        forward(head, words, context)
        return true
    }

    /// Forwards a request in origin form (RFC 9112 section 3.2.1), without the fields for the proxy.
    private func forward(_ head: String, _ words: [Substring], _ context: ChannelHandlerContext) {
        let rest = words[1].cut(at: ":").map { $0.behind.dropping("/") } ?? ""
        let authority = rest.before("/", "?")
        let target = rest[authority.endIndex...]
        let path = target.begins(with: "/") ? String(target) : "/\(target)"
        var lines = head.parts(at: "\n").map { String($0.dropLast($0.ends(with: "\r") ? 1 : 0)) }.dropFirst()
        lines.removeAll { $0.lowercased().begins(with: "proxy-authorization:") }
        var length = 0
        for line in lines {
            guard let (name, value) = line.cut(at: ":") else { continue }
            if name.lowercased() == "content-length" { length = Int(value.trimmed) ?? 0 }
            // The length isn't known: the rest of the connection counts as the body.
            if name.lowercased() == "transfer-encoding" { length = .max }
        }
        state = .forwarding(rest: length)
        send(ByteBuffer(string: "\(words[0]) \(path) HTTP/1.1\r\n" + lines.joined(separator: "\r\n")))
        if server == nil { connectServer(at: port(of: authority) ?? 80, context) { _ in } }
    }

    private func isWelcome(_ head: String) -> Bool {
        guard let user = configuration.credentials else { return true }
        let proof = Data("\(user.user):\(user.password.revealed)".utf8).base64EncodedString()
        return head.has("\r\nProxy-Authorization: Basic \(proof)\r\n")
    }

    // MARK: SOCKS

    private func readMethods(_ context: ChannelHandlerContext) -> Bool {
        guard let count: UInt8 = waiting.getInteger(at: waiting.readerIndex + 1),
            let bytes = waiting.readBytes(length: 2 + Int(count))
        else { return false }
        let wanted: UInt8 = configuration.credentials == nil ? 0 : 2
        guard bytes[2...].contains(wanted) else {
            refuse([5, 0xFF], context)
            return false
        }
        say([5, wanted], context)
        state = .socks5(isProved: wanted == 0)
        return true
    }

    private func readUser(_ context: ChannelHandlerContext) -> Bool {
        let start = waiting.readerIndex
        guard let count: UInt8 = waiting.getInteger(at: start + 1),
            let length: UInt8 = waiting.getInteger(at: start + 2 + Int(count)),
            let bytes = waiting.readBytes(length: 3 + Int(count) + Int(length))
        else { return false }
        let user = String(decoding: bytes[2..<2 + Int(count)], as: UTF8.self)
        let password = String(decoding: bytes[(3 + Int(count))...], as: UTF8.self)
        guard Credentials(user: user, password: Secret(password)) == configuration.credentials else {
            refuse([1, 1], context)
            return false
        }
        say([1, 0], context)
        state = .socks5(isProved: true)
        return true
    }

    private func readRequest(_ context: ChannelHandlerContext) -> Bool {
        let start = waiting.readerIndex
        guard let type: UInt8 = waiting.getInteger(at: start + 3), let first: UInt8 = waiting.getInteger(at: start + 4)
        else { return false }
        let length = type == 1 ? 4 : type == 4 ? 16 : 1 + Int(first)
        guard let bytes = waiting.readBytes(length: 4 + length + 2) else { return false }
        let place = Array(bytes[4..<4 + length])
        let host =
            switch type {
            case 1: place.map(String.init).joined(separator: ".")
            case 4: "[\(place.map { String($0, radix: 16) }.joined(separator: "."))]"
            default: String(decoding: place.dropFirst(), as: UTF8.self)
            }
        let target = "\(host):\(Int(bytes[4 + length]) << 8 | Int(bytes[5 + length]))"
        ledger.note { $0.targets.append(target) }
        connect(toPortOf: target[...], response: ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]), context)
        return false
    }

    private func readSOCKS4(_ context: ChannelHandlerContext) -> Bool {
        let view = Array(waiting.readableBytesView)
        guard view.count > 8, let user = view[8...].firstIndex(of: 0) else { return false }
        var host = view[4..<8].map(String.init).joined(separator: ".")
        var end = user + 1
        if view[4..<7] == [0, 0, 0], view[7] != 0 {
            guard let zero = view[end...].firstIndex(of: 0) else { return false }
            host = String(decoding: view[end..<zero], as: UTF8.self)
            end = zero + 1
        }
        waiting.moveReaderIndex(forwardBy: end)
        if let wanted = configuration.credentials?.user, wanted != String(decoding: view[8..<user], as: UTF8.self) {
            refuse([0, 93, 0, 0, 0, 0, 0, 0], context)
            return false
        }
        let target = "\(host):\(Int(view[2]) << 8 | Int(view[3]))"
        ledger.note { $0.targets.append(target) }
        connect(toPortOf: target[...], response: ByteBuffer(bytes: [0, 90, 0, 0, 0, 0, 0, 0]), context)
        return false
    }

    // MARK: Connecting

    private func connect(toPortOf target: Substring, response: ByteBuffer, _ context: ChannelHandlerContext) {
        state = .tunnelled
        let client = context.channel
        connectServer(at: port(of: target) ?? 0, context) { isThere in
            guard isThere else { return client.close(promise: nil) }
            client.writeAndFlush(response, promise: nil)
        }
    }

    private func connectServer(
        at port: Int,
        _ context: ChannelHandlerContext,
        _ then: @escaping (_ isThere: Bool) -> Void
    ) {
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ProxyServerSide(client))
                }
            }
            .connect(host: "127.0.0.1", port: port).assumeIsolated().whenComplete { result in
                guard case .success(let channel) = result, client.isActive else {
                    if case .success(let channel) = result { channel.close(promise: nil) }
                    then(false)
                    return client.close(promise: nil)
                }
                self.server = channel
                then(true)
                for bytes in self.outgoing { channel.write(bytes, promise: nil) }
                channel.flush()
                self.outgoing = []
            }
    }

    private func send(_ bytes: ByteBuffer) {
        if let server { server.writeAndFlush(bytes, promise: nil) } else { outgoing.append(bytes) }
    }

    private func port(of authority: Substring) -> Int? { authority.cut(atLast: ":").flatMap { Int($0.behind) } }

    private func say(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func refuse(_ text: String, _ context: ChannelHandlerContext) { refuse(Array(text.utf8), context) }

    private func refuse(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        state = .over
        say(bytes, context)
        context.close(promise: nil)
    }
}

/// The other end: bytes from the server are passed to the client.
private final class ProxyServerSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}
