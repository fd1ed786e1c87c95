// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Logging

/// The observer that logs calls: one line for each at `debug`, its steps at `trace`.
///
/// Messages are fixed texts; everything else is metadata. The levels follow swift-log's guidance for libraries: an
/// error is thrown, so a failed call is logged at `debug`, and only problems that no error reports are logged at
/// `info`.
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
        switch event.kind {
        case .started: write(.trace, "Call started", event)
        case .waited(let wait):
            write(.trace, "Waited for the rate limit", event) { $0[.wait] = "\(wait.inSeconds)" }
        case .sending(let request):
            write(.trace, "Sending request", event, to: request) { metadata in
                metadata[.headers] = CallLog.fields(request.headers, hiding: request.hides)
                metadata[.requestSize] = request.body.length.map { "\($0)" }
                if case .bytes(let bytes) = request.body { metadata[.body] = shown(bytes) }
            }
        case .responded(let head):
            write(.trace, "Received response head", event) { metadata in
                metadata[.status] = "\(head.status.code)"
                metadata[.headers] = CallLog.fields(head.headers)
            }
        case .failed(let error): write(.trace, "Attempt failed", event) { CallLog.describe(error, in: &$0) }
        case .retry(let decision): log(decision, event)
        case .again(let reason, let request, let pause):
            write(.trace, "Sending another request", event, to: request) { metadata in
                metadata[.reason] = "\(reason)"
                metadata[.wait] = "\(pause.inSeconds)"
            }
        case .delivered(let response):
            write(.trace, "Received response", event) { metadata in
                metadata[.status] = "\(response.status.code)"
                metadata[.body] = shown(response.bytes)
            }
        case .streaming(let head):
            write(.trace, "Streaming response to the caller", event) { $0[.status] = "\(head.status.code)" }
        case .ended(let outcome): log(outcome, event)
        case .exchanged, .progressed, .sent, .received: break
        }
    }

    /// Logs the end of a call.
    private func log(_ outcome: CallEvent.Outcome, _ event: CallEvent) {
        switch outcome {
        case .finished(let status, let size):
            write(.debug, "Call finished", event) { metadata in
                metadata[.status] = "\(status.code)"
                metadata[.responseSize] = size.map { "\($0)" }
            }
        case .streamed(let status, let count):
            write(.debug, "Call finished", event) { metadata in
                metadata[.status] = "\(status.code)"
                metadata[.responseSize] = "\(count)"
            }
        case .failed(let error): write(.debug, "Call failed", event) { CallLog.describe(error, in: &$0) }
        case .cancelled: write(.debug, "Call cancelled", event)
        }
    }

    /// Logs a decision about a retry: no error reports the failure before a retry, or an exhausted budget.
    private func log(_ decision: RetryDecision, _ event: CallEvent) {
        let message: Logger.Message =
            switch decision.obstacle {
            case nil: "Attempt failed, retrying"
            case .budget?: "Retry budget is exhausted"
            default: "Attempt is not retried"
            }
        let level: Logger.Level = if case .none = decision.obstacle { .info } else { decision.budgetLevel }
        write(level, message, event) { metadata in
            let reason = SecretRedaction.fieldText("\(decision)")
            metadata[.reason] = "\(PeerText.printable(reason, limit: PeerText.longestMessage))"
            metadata[.wait] = decision.delay.map { "\($0.inSeconds)" }
        }
    }

    /// Reports cookies that a jar has dropped because of its limits.
    func note(droppedCookies count: Int, of draft: RequestDraft) {
        guard logger.logLevel <= .info else { return }
        var metadata = CallLog.metadata(of: draft)
        metadata["cumulus.dropped_cookies"] = "\(count)"
        logger.info("Cookie jar dropped cookies above its limits", metadata: metadata)
    }

    /// Writes a line, whose metadata is made only if its level is on.
    private func write(
        _ level: Logger.Level,
        _ message: Logger.Message,
        _ event: CallEvent,
        to request: EncodedRequest? = nil,
        _ add: (inout Logger.Metadata) -> Void = { _ in }
    ) {
        guard logger.logLevel <= level else { return }
        var metadata = CallLog.metadata(of: event.draft)
        if let request {
            metadata[.method] = "\(request.method.rawValue)"
            metadata[.url] = "\(request.redactedURL)"
        }
        metadata[.elapsed] = "\(event.elapsed.inSeconds)"
        if event.attempt > 0 { metadata[.attempt] = "\(event.attempt)" }
        add(&metadata)
        logger.log(level: level, message, metadata: metadata)
    }

    private static func metadata(of draft: RequestDraft) -> Logger.Metadata {
        [.call: "\(draft.id)", .method: "\(draft.method.rawValue)", .url: "\(draft.redactedURL)"]
    }

    /// Adds an error: its kind, and its message.
    private static func describe(_ error: any Error, in metadata: inout Logger.Metadata) {
        metadata[.errorType] = "\((error as? CumulusError).map { "\($0.code)" } ?? "\(type(of: error))")"
        metadata[.errorMessage] = "\(PeerText.printable(message(of: error), limit: PeerText.longestMessage))"
    }

    /// The text of an error, without secrets that a peer, a transport or a program's code may have written into it.
    private static func message(of error: any Error) -> String {
        guard let error = error as? CumulusError else { return SecretRedaction.fieldText("\(error)") }
        // Names of members and their types, which look like secrets and their names.
        if error.code == .decoding || error.code == .encoding { return "\(error)" }
        return error.text(SecretRedaction.fieldText(error.message))
    }

    private func shown(_ bytes: ByteChunk) -> Logger.MetadataValue? {
        guard bodyLimit > 0, !bytes.isEmpty else { return nil }
        return "\(LoggedBody(bytes, limit: bodyLimit))"
    }

    /// Header fields without their secrets, by their names.
    private static func fields(
        _ fields: HTTPFields,
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> Logger.MetadataValue {
        var shown: Logger.Metadata = [:]
        for field in fields {
            let name = field.name.rawName
            // No query value of a link is shown, as in requests: a response may repeat a request's secret.
            let value =
                Redaction.isSecret(name) || isHidden(name)
                ? "<redacted>" : SecretRedaction.value(field.value, of: name, hiding: { _ in true })
            let key = PeerText.printable(field.name.canonicalName)
            let text = PeerText.printable(value)
            shown[key] = shown[key].map { "\($0), \(text)" } ?? "\(text)"
        }
        return .dictionary(shown)
    }
}

/// The keys of the metadata; those without the library's name are OpenTelemetry's.
extension String {
    fileprivate static let call = "cumulus.call"
    fileprivate static let attempt = "cumulus.attempt"
    fileprivate static let elapsed = "cumulus.elapsed"
    fileprivate static let reason = "cumulus.reason"
    fileprivate static let wait = "cumulus.wait"
    fileprivate static let headers = "cumulus.headers"
    fileprivate static let body = "cumulus.body"
    fileprivate static let method = "http.request.method"
    fileprivate static let url = "url.full"
    fileprivate static let status = "http.response.status_code"
    fileprivate static let requestSize = "http.request.body.size"
    fileprivate static let responseSize = "http.response.body.size"
    fileprivate static let errorType = "error.type"
    fileprivate static let errorMessage = "error.message"
}

extension RetryDecision {
    /// The level of a decision against a retry: the error of the call reports all obstacles but an exhausted budget,
    /// which concerns other calls, too.
    fileprivate var budgetLevel: Logger.Level { if case .budget? = obstacle { .info } else { .trace } }
}

extension Duration {
    /// The seconds as a number.
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
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
