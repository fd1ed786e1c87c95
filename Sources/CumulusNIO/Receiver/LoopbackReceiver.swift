// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import NIOCore
import NIOPosix

/// Receives a browser's redirect after sign-in, on a free port of 127.0.0.1 (RFC 8252 section 7.3).
///
/// It listens only during a sign-in. Requests from other pages or programs are refused: a request must be a short GET
/// for this address that contains the state of this login.
public struct LoopbackReceiver: RedirectReceiver {
    private let path: String
    private let message: String

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URI, as registered with the server; the port differs each time.
    ///   - message: The plain text that the browser shows after the redirect.
    public init(path: String = "/callback", message: String = "You are signed in. You can close this window.") {
        self.path = path
        self.message = message
    }

    /// Listens, reports its address, and waits for the redirect.
    ///
    /// - Throws: NIO's `IOError` if no port can be opened, the error of `begin`, or `CancellationError`.
    public func receive(
        _ isExpected: @escaping @Sendable (Query) -> Bool,
        _ begin: @escaping @Sendable (_ redirectURI: String) async throws -> Void
    ) async throws -> Query {
        let redirect = AwaitedRedirect()
        let (path, message) = (path, message)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 16)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let authority = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
                    let reader = RedirectReader(path: path, authority: authority)
                    try channel.pipeline.syncOperations.addHandler(
                        RedirectConnection(reader, message: message, isExpected: isExpected, redirect: redirect)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await begin("http://127.0.0.1:\(listener.localAddress?.port ?? 0)\(path)")
            let query = try await redirect.wait()
            try? await listener.close()
            return query
        } catch {
            try? await listener.close()
            throw error
        }
    }
}
