// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Asks a proxy for a tunnel: the first in the channel until it stands, it lets nothing of the proxy's through.
///
/// The proxy gets to see where the tunnel leads, and nothing else of the request.
final class Tunnel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = IOData

    private weak var attempt: ConnectionAttempt?
    private var context: ChannelHandlerContext?
    private let question: ByteBuffer
    private var answer = TunnelAnswer()
    private var isAsked = false
    private var isOver = false
    private var problem: TunnelProblem?
    private var lastError: (any Error)?

    init(to target: Origin, attempt: ConnectionAttempt) throws(HTTP1RequestError) {
        self.attempt = attempt
        var writer = HTTP1RequestWriter()
        var question = ByteBuffer()
        _ = try writer.writeHead(.connect(host: target.host, port: target.port), into: &question)
        self.question = question
    }

    /// Asks, once this connection is chosen among several; the attempt is told how it ends.
    func open() {
        isAsked = true
        guard let context, problem == nil else { return fail(problem ?? answer.finish()) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(question)), promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOver || problem != nil { return }
        do throws(TunnelProblem) {
            if !isAsked { throw .unaskedBytes }
            guard try answer.receive(unwrapInboundIn(data)) else { return }
            isOver = true
            attempt?.tunnelOpened(self, over: context.channel)
        } catch {
            fail(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lastError = error
        fail(answer.finish())
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(answer.finish())
        context.fireChannelInactive()
    }

    private func fail(_ problem: TunnelProblem) {
        // Who isn't chosen yet is judged then.
        if self.problem == nil { self.problem = problem }
        if isOver || !isAsked { return }
        isOver = true
        // First: closing tells the connection behind, which would blame the origin.
        attempt?.tunnelFailed(self, problem, cause: lastError)
        context?.close(promise: nil)
    }
}
