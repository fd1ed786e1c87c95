// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CumulusTestServer
import Glibc
import NIOCore
import NIOEmbedded
import NIOSSL

/// The server's side of TLS over a bare descriptor, on one thread: it works while event loops are stopped.
final class TLSPeer {
    private let channel: EmbeddedChannel
    private let descriptor: CInt
    private var plain: [UInt8] = []

    /// Begins with the handshake's first received bytes.
    init(_ descriptor: CInt, _ tls: ServerTLS) throws {
        let identity = tls.identity
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.certificatesPEM.map {
                .certificate(try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem))
        )
        configuration.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        channel = EmbeddedChannel(handler: NIOSSLServerHandler(context: context))
        self.descriptor = descriptor
        // An embedded channel does it at once.
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Reads up to the end of a request's head; false at the connection's end.
    func readHead() -> Bool {
        while !plain.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let bytes = PlainServer.read(descriptor)
            if bytes.isEmpty || (try? channel.writeInbound(ByteBuffer(bytes: bytes))) == nil { return false }
            while let piece = try? channel.readInbound(as: ByteBuffer.self) { plain += piece.readableBytesView }
            sendRecords()
        }
        plain = []
        return true
    }

    func send(_ text: String) {
        _ = try? channel.writeOutbound(ByteBuffer(string: text))
        sendRecords()
    }

    /// Sends a close_notify, and leaves the connection open.
    func sayGoodbye() {
        channel.close(promise: nil)
        sendRecords()
    }

    private func sendRecords() {
        while let records = try? channel.readOutbound(as: ByteBuffer.self) {
            let bytes = Array(records.readableBytesView)
            _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }
}
#endif
