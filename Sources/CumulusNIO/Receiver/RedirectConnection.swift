// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// A browser's connection: reads one request, responds, and closes.
final class RedirectConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a request's head may take.
    private static let patience = TimeAmount.seconds(10)

    private var reader: RedirectReader
    private var isAnswered = false
    private var timer: Scheduled<Void>?
    private var number: Int?
    private let message: String
    private let isExpected: @Sendable (Query) -> Bool
    private let redirect: AwaitedRedirect

    init(
        _ reader: RedirectReader,
        message: String,
        isExpected: @escaping @Sendable (Query) -> Bool,
        redirect: AwaitedRedirect
    ) {
        self.reader = reader
        self.message = message
        self.isExpected = isExpected
        self.redirect = redirect
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        number = redirect.enter { channel.close(promise: nil) }
        timer = context.eventLoop.scheduleTask(in: RedirectConnection.patience) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        if let number { redirect.leave(number) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        if let number { redirect.hear(number) }
        switch reader.read(unwrapInboundIn(data).readableBytesView) {
        case .more: break
        case .refused(let status): answer(status, "This is not the expected sign-in.", context, then: nil)
        case .redirect(let query):
            guard isExpected(query) else {
                return answer(400, "This is not the expected sign-in.", context, then: nil)
            }
            let isRefusal = !query.values(of: "error").isEmpty
            answer(200, isRefusal ? "You are not signed in." : message, context, then: query)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Reports the redirect once the browser has its page: the program may end then.
    private func answer(_ status: Int, _ text: String, _ context: ChannelHandlerContext, then query: Query?) {
        isAnswered = true
        let body = "\(text)\n"
        let head = """
            HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r

            """
        let (channel, redirect) = (context.channel, redirect)
        channel.writeAndFlush(ByteBuffer(string: head + body)).whenComplete { _ in
            if let query { redirect.arrive(query) }
            channel.close(promise: nil)
        }
    }
}
