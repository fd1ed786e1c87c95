// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Logging

/// The observer that writes a line for each step of a call.
struct CallLog: Sendable {
    private let logger: Logger
    private let bodyLimit: Int

    /// `nil` if the settings have no logger.
    init?(_ settings: SettingValues) {
        guard let logger = settings.value(LoggerKey.self) else { return nil }
        self.logger = logger
        bodyLimit = max(0, settings.value(LoggedBodySizeKey.self))
    }

    func observe(_ event: CallEvent) {
        var logger = logger
        logger[metadataKey: "request"] = "\(event.id)"
        let time = SpokenDuration(event.elapsed)
        let name = "\(event.draft.method.rawValue) \(event.draft.redactedURL)"
        switch event.kind {
        case .started: logger.debug("\(name) started")
        case .waited(let wait): logger.debug("waited \(SpokenDuration(wait)) for its turn, after \(time)")
        case .sending(let request):
            logger.debug("attempt \(event.attempt): \(request) with \(CallLog.size(of: request.body)), after \(time)")
            logger.trace("\(CallLog.lines(request.headers, hiding: request.hides))")
            if case .bytes(let bytes) = request.body { show(bytes, by: logger) }
        case .answered(let head):
            logger.debug("answered \(head.status.code), after \(time)")
            logger.trace("\(CallLog.lines(head.headers))")
        case .again(let reason, let request, _):
            logger.debug("\(reason == .redirect ? "redirected to" : "\(reason):") \(request), after \(time)")
        case .retry(let decision):
            let text = PeerText.printable("\(decision)", limit: PeerText.longestMessage)
            // An exhausted budget means that the origin, and so the program, is in trouble.
            if case .budget? = decision.obstacle { logger.warning("\(name): \(text)") } else { logger.debug("\(text)") }
        case .delivered(let response): show(response.bytes, by: logger)
        case .streaming(let head):
            logger.info("\(name) finished: \(head.status.code), the body follows, after \(time)")
        case .ended(.finished(let status, let size)):
            let size = size.map { "\($0) bytes" } ?? "no body"
            logger.info("\(name) finished: \(status.code), \(size), after \(time)")
        case .ended(.streamed(_, let count)): logger.debug("\(name): \(count) bytes were read, after \(time)")
        case .ended(.cancelled): logger.info("\(name) cancelled after \(time)")
        // Our own errors name their request.
        case .ended(.failed(let error)):
            logger.error("\(PeerText.printable("\(error)", limit: PeerText.longestMessage)), after \(time)")
        case .failed, .exchanged, .progressed, .sent, .received: break
        }
    }

    /// Reports cookies that a jar has dropped because of its limits.
    func note(droppedCookies count: Int, of draft: RequestDraft) {
        var logger = logger
        logger[metadataKey: "request"] = "\(draft.id)"
        let cookies = count == 1 ? "1 cookie" : "\(count) cookies"
        let name = "\(draft.method.rawValue) \(draft.redactedURL)"
        logger.notice("\(name): the cookie jar dropped \(cookies), above its limits")
    }

    private func show(_ bytes: ByteChunk, by logger: Logger) {
        guard bodyLimit > 0, !bytes.isEmpty else { return }
        logger.trace("\(LoggedBody(bytes, limit: bodyLimit))")
    }

    private static func size(of body: RequestBody) -> String {
        if case .none = body { return "no body" }
        return body.length.map { "\($0) bytes" } ?? "a body of unknown length"
    }

    private static func lines(_ fields: HTTPFields, hiding isHidden: (String) -> Bool = { _ in false }) -> String {
        fields.map { field in
            let name = field.name.rawName
            // No query value of a link is shown, as in requests: a response may repeat a request's secret.
            let value =
                Redaction.isSecret(name) || isHidden(name)
                ? "<redacted>" : SecretRedaction.value(field.value, of: name, hiding: { _ in true })
            return "\(PeerText.printable(name)): \(PeerText.printable(value))"
        }.joined(separator: "\n")
    }
}

/// The beginning of a body as one line of text; anything that is not text is shown as bytes.
struct LoggedBody: CustomStringConvertible {
    private let bytes: ByteChunk
    private let limit: Int

    init(_ bytes: ByteChunk, limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    var description: String {
        let shown = bytes.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
        // Control characters could affect a terminal, or forge another line.
        return PeerText.printable(bytes: shown, limit: .max) + (bytes.count > limit ? "... (\(bytes.count) bytes)" : "")
    }
}
