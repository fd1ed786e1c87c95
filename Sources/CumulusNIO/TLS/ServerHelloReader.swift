// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOSSL

/// Reads the cipher suite of a connection from the server's first message, which is not encrypted; NIOSSL doesn't
/// report it.
///
/// It passes everything on, and leaves the pipeline as soon as the suite is known.
final class ServerHelloReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var hello = ServerHello()
    private var isLeaving = false

    /// The cipher suite that the server chose; `nil` if its first message could not be read.
    var cipherSuite: TLSCipherSuite? { hello.cipherSuite }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hello.take(unwrapInboundIn(data).readableBytesView)
        let isOver = hello.isOver && !isLeaving
        isLeaving = hello.isOver
        context.fireChannelRead(data)
        if isOver { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }
}

extension HTTP1Connection {
    /// Adds the handlers of the origin's TLS to a channel.
    func secure(
        by security: NIOSSLClientHandler,
        in pipeline: ChannelPipeline.SynchronousOperations,
        _ position: ChannelPipeline.SynchronousOperations.Position
    ) throws {
        let hello = ServerHelloReader()
        try pipeline.addHandler(hello, position: position)
        try pipeline.addHandler(security, position: .after(hello))
        (self.security, self.hello) = (security, hello)
    }
}

extension TLSFacts {
    /// The facts of a connection whose handshake is complete.
    init(_ security: NIOSSLClientHandler, _ hello: ServerHelloReader?) {
        let version: String? =
            switch security.tlsVersion {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            case nil: nil
            }
        let der = try? security.peerCertificate?.toDERBytes()
        self.init(
            version: version,
            cipherSuite: hello?.cipherSuite,
            certificate: der.flatMap { ServerCertificate(der: $0) }
        )
    }
}
