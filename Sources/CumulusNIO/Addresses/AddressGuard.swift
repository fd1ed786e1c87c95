// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Lets a channel connect to addresses that a policy allows, and to no others.
///
/// It stands in the channel's own pipeline and sees the very address that the socket is to be connected to, whoever
/// looked it up and however often: between its judgement and the system call, nothing asks a name server again.
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
        // As a socket that can't connect does; a turn later, so that those in line don't fail within each other's calls.
        context.close(promise: nil)
        context.eventLoop.execute { promise?.fail(refusal) }
    }
}

extension AddressPolicy {
    /// Why a socket's address is refused; `nil` if it isn't.
    ///
    /// One that is not an IP address is never allowed.
    func refusal(of address: SocketAddress, for origin: Origin) -> AddressRefusal? {
        if isAny { return nil }
        guard let text = address.ipAddress, let number = IPAddress(text) else {
            let rule = address.pathname == nil ? AddressRefusal.Rule.reserved : .unixSocket
            return AddressRefusal(rule, host: origin.host, address: address.ipAddress)
        }
        return refusal(of: number, for: origin)
    }
}
