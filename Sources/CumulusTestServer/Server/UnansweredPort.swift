// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// A port of this machine to which connecting never completes: its queue is full, and no program accepts connections.
public final class UnansweredPort: Sendable {
    /// The error thrown if this system accepts every connection.
    public struct Unavailable: Error {}

    /// The port.
    public let port: Int
    private let channels: [any Channel]

    private init(port: Int, channels: [any Channel]) {
        self.port = port
        self.channels = channels
    }

    deinit { shutdown() }

    /// Opens a port and fills its queue.
    ///
    /// - Parameters:
    ///   - address: One of this machine's IPv4 addresses.
    ///   - port: The port; 0 chooses a free one.
    /// - Returns: The port, which is released together with its last reference.
    /// - Throws: ``Unavailable``, or the system's error.
    public static func open(address: String = "127.0.0.1", port: Int = 0) async throws -> UnansweredPort {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: address, port: port).get()
        let port = listener.localAddress?.port ?? port
        var channels: [any Channel] = [listener]
        for _ in 0..<64 {
            do {
                let filler = ClientBootstrap(group: group).connectTimeout(.milliseconds(300))
                channels.append(try await filler.connect(host: address, port: port).get())
            } catch is NIOConnectionError {
                return UnansweredPort(port: port, channels: channels)
            } catch ChannelError.connectTimeout {
                return UnansweredPort(port: port, channels: channels)
            }
        }
        for channel in channels { channel.close(promise: nil) }
        throw Unavailable()
    }

    /// Releases the port; pending connection attempts are refused.
    public func shutdown() {
        for channel in channels { channel.close(promise: nil) }
    }
}
