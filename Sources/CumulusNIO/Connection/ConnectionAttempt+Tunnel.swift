// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOSSL

/// Connections that lead through a proxy's tunnel.
extension ConnectionAttempt {
    /// Asks the proxy, now that its connection is chosen.
    func openTunnel(_ channel: any Channel) {
        guard let tunnel = try? channel.pipeline.syncOperations.handler(type: Tunnel.self) else {
            return fail(.connecting(to: slot.origin, by: slot.key.route, ChannelError.alreadyClosed))
        }
        self.tunnel = tunnel
        tunnel.open()
    }

    /// The proxy has opened the tunnel: TLS begins with whoever is at its other end.
    func tunnelOpened(_ tunnel: Tunnel, over channel: any Channel) {
        guard !isOver else { return }
        do {
            let pipeline = channel.pipeline.syncOperations
            connectedAt = clock.moment
            if let security = try makeSecurity() { try pipeline.addHandler(security, position: .after(tunnel)) }
            pipeline.removeHandler(tunnel, promise: nil)
        } catch {
            fail(.connecting(to: slot.origin, error))
            channel.close(promise: nil)
        }
    }

    /// The proxy has opened no tunnel, and the connection to it closes.
    func tunnelFailed(_ tunnel: Tunnel, _ problem: TunnelProblem, cause: (any Error)?) {
        // Another candidate may still be chosen.
        guard self.tunnel === tunnel, let proxy = slot.key.route.proxy else { return }
        fail(.tunnelling(to: slot.origin, by: proxy, problem, cause: cause))
    }
}
