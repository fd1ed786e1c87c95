// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore
import NIOSSL
import NIOTLS

/// Performs the handshake with a proxy; until the connection leads to its target, nothing from the proxy gets through.
///
/// TLS with the proxy, if any, is before it in the pipeline, and TLS with the origin replaces it. The proxy learns the
/// tunnel's target, and nothing else of the request.
final class ProxyHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = IOData

    private weak var attempt: ConnectionAttempt?
    private var context: ChannelHandlerContext?
    private var dialog: ProxyDialog
    /// Whether TLS with the proxy is established, or not used.
    private var isSecured: Bool
    private var isChosen = false
    private var hasSpoken = false
    private var isOver = false
    private var problem: TunnelProblem?
    private var lastError: (any Error)?

    init(_ dialog: ProxyDialog, securing: Bool, attempt: ConnectionAttempt) {
        self.dialog = dialog
        self.attempt = attempt
        isSecured = !securing
    }

    /// Begins, once this connection is chosen among several; the attempt gets the outcome.
    func open() {
        isChosen = true
        guard context != nil, problem == nil else { return fail(problem ?? dialog.finish()) }
        speak()
    }

    private func speak() {
        guard isChosen, isSecured, !hasSpoken, !isOver, let context else { return }
        hasSpoken = true
        guard let words = dialog.firstWords else { return succeed(context) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(words)), promise: nil)
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
            if !hasSpoken { throw .unaskedBytes }
            switch try dialog.receive(unwrapInboundIn(data)) {
            case .wait: return
            case .send(let bytes): context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
            case .open: succeed(context)
            }
        } catch {
            fail(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard !isOver, case .handshakeCompleted? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        let security = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        if let error = attempt?.problem(ofProxyWith: security?.peerCertificate) {
            lastError = error
            fail(dialog.finish())
        } else {
            isSecured = true
            speak()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if lastError == nil { lastError = error }
        fail(dialog.finish())
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(dialog.finish())
        context.fireChannelInactive()
    }

    private func succeed(_ context: ChannelHandlerContext) {
        isOver = true
        let channel = context.channel
        attempt?.proxyOpened(self, over: channel)
        // For the handler that has replaced this one.
        if let rest = dialog.rest {
            channel.pipeline.fireChannelRead(rest)
            channel.pipeline.fireChannelReadComplete()
        }
    }

    private func fail(_ problem: TunnelProblem) {
        // A connection that isn't chosen yet is checked then.
        if self.problem == nil { self.problem = problem }
        if isOver || !isChosen { return }
        isOver = true
        // First, since closing notifies the connection behind, which would blame the origin.
        if isSecured {
            attempt?.proxyFailed(self, problem, cause: lastError)
        } else {
            let security = try? context?.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            attempt?.proxyNotSecured(self, lastError, certificate: security?.peerCertificate)
        }
        context?.close(promise: nil)
    }
}
