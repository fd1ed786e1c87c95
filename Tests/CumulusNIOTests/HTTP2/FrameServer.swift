// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import HTTPTypes
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A server on a port of 127.0.0.1 that reads frames and responds to each with a test's bytes.
final class FrameServer: Sendable {
    /// The response to a frame.
    typealias Reply = @Sendable (_ connection: Int, _ frame: HTTP2Bytes) -> [UInt8]

    private let channel: any Channel
    private let log: FrameLog

    private init(channel: any Channel, log: FrameLog) {
        self.channel = channel
        self.log = log
    }

    /// Starts a server; its response to the peer's settings is its own first frame.
    ///
    /// With TLS, connections without HTTP/2 get the same HTTP/1.1 response to everything.
    static func start(tls: NIOSSLContext? = nil, _ reply: @escaping Reply) async throws -> FrameServer {
        let log = FrameLog()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = log.connected()
                    let pipeline = channel.pipeline.syncOperations
                    guard let tls else {
                        return try pipeline.addHandler(FrameReader(number: number, log: log, reply: reply))
                    }
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    try pipeline.addHandler(
                        ApplicationProtocolNegotiationHandler { outcome, channel in
                            channel.eventLoop.makeCompletedFuture {
                                let pipeline = channel.pipeline.syncOperations
                                if case .negotiated("h2") = outcome {
                                    try pipeline.addHandler(FrameReader(number: number, log: log, reply: reply))
                                } else {
                                    try pipeline.addHandler(PlainAnswer(log: log))
                                }
                            }
                        }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return FrameServer(channel: channel, log: log)
    }

    /// Runs a test with a server without TLS, and a transport of its own.
    static func during(
        _ reply: @escaping Reply,
        _ body: (FrameServer, NIOTransport) async throws -> Void
    ) async throws {
        let server = try await start(reply)
        defer { server.shutdown() }
        try await NIOTransport.withTransport { try await body(server, $0) }
    }

    /// Starts a server with TLS and a certificate for 127.0.0.1; returns it with the configuration of its clients.
    ///
    /// It may refuse clients without a certificate.
    static func startSecure(
        protocols: [String] = ["h2", "http/1.1"],
        requiresCertificate: Bool = false,
        _ reply: @escaping Reply
    ) async throws -> (server: FrameServer, configuration: NIOTransport.Configuration) {
        let authority = try TestCertificateAuthority()
        let identity = try authority.issue(hosts: ["127.0.0.1"])
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.certificatesPEM.map {
                .certificate(try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem))
        )
        tls.applicationProtocols = protocols
        if requiresCertificate {
            tls.certificateVerification = .noHostnameVerification
            let root = try NIOSSLCertificate(bytes: Array(authority.rootPEM.utf8), format: .pem)
            tls.trustRoots = .certificates([root])
        }
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        return (try await start(tls: try NIOSSLContext(configuration: tls), reply), configuration)
    }

    /// How many connections were accepted.
    var connections: Int { log.state.withLock(\.connections) }
    /// What arrived over HTTP/1.1.
    var plain: String { log.state.withLock(\.plain) }
    /// The received frames, oldest first.
    var frames: [(connection: Int, frame: HTTP2Bytes)] { log.state.withLock(\.frames) }

    /// A request to this server over HTTP/2.
    func request(body: RequestBody = .none, idle: Duration = .seconds(300)) -> TransportRequest {
        var request = TransportRequest(
            method: body.isNone ? .get : .post,
            origin: Origin(scheme: .http, host: "127.0.0.1", port: channel.localAddress?.port ?? 0),
            target: "/",
            body: body,
            deadlines: TransportDeadlines(idle: idle)
        )
        request.httpVersion = .http2
        return request
    }

    /// The same over TLS, with the version that the handshake leads to.
    func secureRequest() -> TransportRequest {
        var request = request()
        request.origin = Origin(scheme: .https, host: "127.0.0.1", port: request.origin.port)
        request.httpVersion = .automatic
        return request
    }

    /// Sends bytes on all of its connections.
    func send(_ bytes: [UInt8]) {
        for channel in log.state.withLock(\.channels) {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
    }

    func shutdown() { channel.close(promise: nil) }

    /// Runs a test during which it accepts a few connections, and refuses more.
    func accepting<Result>(upTo count: Int, _ body: () async throws -> Result) async rethrows -> Result {
        let guarding = Task {
            // Polls: the server has no signal for a new connection.
            while connections < count { try await Task.sleep(for: .milliseconds(1)) }
            shutdown()
        }
        defer { guarding.cancel() }
        return try await body()
    }
}

extension RequestBody {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}

/// The frames received on a frame server's connections.
final class FrameLog: Sendable {
    struct State {
        var connections = 0
        var channels: [any Channel] = []
        var frames: [(connection: Int, frame: HTTP2Bytes)] = []
        var plain = ""
    }

    let state = Mutex(State())

    func connected() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    func begin(on channel: any Channel) { state.withLock { $0.channels.append(channel) } }

    func note(_ connection: Int, _ frame: HTTP2Bytes) { state.withLock { $0.frames.append((connection, frame)) } }
}

/// Answers over HTTP/1.1, each time that bytes arrive.
private final class PlainAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: FrameLog

    init(log: FrameLog) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        log.state.withLock { $0.plain += text }
        let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain")
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
}

/// Cuts one connection's bytes into frames.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let number: Int
    private let log: FrameLog
    private let reply: FrameServer.Reply
    private var bytes: [UInt8] = []
    private var hasPreface = false

    init(number: Int, log: FrameLog, reply: @escaping FrameServer.Reply) {
        self.number = number
        self.log = log
        self.reply = reply
    }

    func handlerAdded(context: ChannelHandlerContext) { log.begin(on: context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += Array(unwrapInboundIn(data).readableBytesView)
        if !hasPreface {
            guard bytes.count >= 24 else { return }
            bytes.removeFirst(24)
            hasPreface = true
        }
        while bytes.count >= 9 {
            let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
            guard bytes.count >= 9 + length else { return }
            let stream = bytes[5..<9].reduce(0) { $0 << 8 | Int($1) }
            let payload = Array(bytes[9..<9 + length])
            let frame = HTTP2Bytes(type: bytes[3], flags: bytes[4], stream: stream, payload: payload)
            bytes.removeFirst(9 + length)
            log.note(number, frame)
            let answer = reply(number, frame)
            if answer == HTTP2Bytes.end { return context.close(promise: nil) }
            if !answer.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil) }
        }
    }
}
