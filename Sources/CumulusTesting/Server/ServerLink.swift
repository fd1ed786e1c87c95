// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL

/// The sending side of one connection: bytes out with back-pressure, and the ways to end it.
struct ServerLink: Sendable {
    let number: Int
    let channel: any Channel
    let ledger: ServerLedger

    /// Sends bytes; returns when the kernel has taken them, so a peer that does not read stops the sender.
    func send(_ bytes: [UInt8]) async throws {
        var start = 0
        repeat {
            let end = min(start + 64 * 1024, bytes.count)
            try Task.checkCancellation()
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes[start..<end])).get()
            ledger.sent(end - start)
            start = end
        } while start < bytes.count
    }

    /// Ends the connection now.
    func abort(_ abort: ServerResponse.Abort) async {
        if abort == .reset {
            try? await lingerNot()
        }
        try? await Self.closeAbruptly(channel).get()
    }

    /// Makes the close a TCP reset: a linger time of zero.
    private func lingerNot() async throws {
        guard let options = channel as? any SocketOptionProvider else { return }
        var linger = try await options.getSoLinger().get()
        // The C struct's fields belong to a module that can't be imported: on, then seconds.
        withUnsafeMutableBytes(of: &linger) { bytes in
            bytes.storeBytes(of: 1, as: Int32.self)
            bytes.storeBytes(of: 0, toByteOffset: 4, as: Int32.self)
        }
        try await options.setSoLinger(linger).get()
    }

    /// Closes the socket beneath TLS, which would otherwise wait for the peer's farewell.
    static func closeAbruptly(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit {
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            else { return channel.close() }
            return context.close()
        }
    }
}
