// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Lets a channel connect only to addresses that a policy allows.
///
/// It is in the channel's own pipeline and sees the very address that the socket connects to, regardless of who looked
/// it up and how often: between its check and the system call, no name is looked up again.
final class AddressGuard: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let policy: AddressPolicy
    private let origin: Origin

    init(_ policy: AddressPolicy, for origin: Origin) {
        self.policy = policy
        self.origin = origin
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let refusal = policy.refusal(of: address, for: origin) else {
            return context.connect(to: address, promise: promise)
        }
        // Like a socket that can't connect; a turn later, so that requests in line don't fail within each other's
        // calls.
        context.close(promise: nil)
        context.eventLoop.execute { promise?.fail(refusal) }
    }
}

extension AddressPolicy {
    /// Why a socket's address is refused; `nil` if it is allowed.
    ///
    /// An address that is not an IP address is never allowed.
    func refusal(of address: SocketAddress, for origin: Origin) -> AddressRefusal? {
        if isAny { return nil }
        guard let text = address.ipAddress, let number = IPAddress(text) else {
            let rule = address.pathname == nil ? AddressRefusal.Rule.reserved : .unixSocket
            return AddressRefusal(rule, host: origin.host, address: address.ipAddress)
        }
        return refusal(of: number, for: origin)
    }
}
