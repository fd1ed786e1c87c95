// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import Synchronization

/// Writes a line for each phase of a request; there is none where nothing is logged.
///
/// A class, so that a pipeline without it carries one empty reference only.
final class RequestLog: Sendable {
    private static let calls = Atomic<UInt64>(0)

    private let logger: Logger
    private let bodyLimit: Int

    /// `nil` where the settings name no logger.
    init?(_ settings: SettingsSnapshot.Values) {
        guard let logger = settings.value(LoggerKey.self) else { return nil }
        self.logger = logger
        bodyLimit = max(0, settings.value(LoggedBodySizeKey.self))
    }

    /// Runs a call, and writes how it begins and how it ends.
    func follow<Output>(
        _ draft: RequestDraft,
        on clock: any RequestClock,
        _ run: (Call) async throws -> Output
    ) async throws -> Output {
        let number = RequestLog.calls.add(1, ordering: .relaxed).newValue
        var logger = logger
        logger[metadataKey: "request"] = "\(number)"
        let call = Call(logger, bodyLimit, clock)
        logger.debug("\(draft.method.rawValue) \(draft.redactedURL) started")
        do {
            let output = try await run(call)
            logger.info("\(draft.method.rawValue) \(draft.redactedURL) finished: \(call.outcome)")
            return output
        } catch is CancellationError {
            logger.info("\(draft.method.rawValue) \(draft.redactedURL) cancelled after \(call.elapsed)")
            throw CancellationError()
        } catch {
            // An error of ours names its request.
            logger.error("\(PeerText.printable("\(error)", limit: PeerText.longestMessage)), after \(call.elapsed)")
            throw error
        }
    }

    /// One call of a verb.
    final class Call: Sendable {
        private struct Progress {
            var attempts = 0
            var status: HTTPResponse.Status?
            var bodySize: Int?
        }

        private let logger: Logger
        private let bodyLimit: Int
        private let clock: any RequestClock
        private let started: ContinuousClock.Instant
        private let progress = Mutex(Progress())

        fileprivate init(_ logger: Logger, _ bodyLimit: Int, _ clock: any RequestClock) {
            self.logger = logger
            self.bodyLimit = bodyLimit
            self.clock = clock
            started = clock.now
        }

        fileprivate var elapsed: String { "\(clock.now - started)" }

        fileprivate var outcome: String {
            let progress = progress.withLock { $0 }
            let size = progress.bodySize.map { "\($0) bytes" } ?? "the body follows"
            return "\(progress.status?.code ?? 0), \(size), after \(elapsed)"
        }

        /// An attempt goes to the transport, with its proof of identity.
        func sending(_ request: EncodedRequest) {
            let attempt = progress.withLock { progress in
                progress.attempts += 1
                return progress.attempts
            }
            logger.debug("attempt \(attempt): \(request) with \(Call.size(of: request.body)), after \(elapsed)")
            logger.trace("\(Call.lines(request.headers))")
            if case .bytes(let bytes) = request.body { show(bytes) }
        }

        /// A head has come.
        func received(_ head: ResponseHead) {
            progress.withLock { $0.status = head.status }
            logger.debug("answered \(head.status.code), after \(elapsed)")
            logger.trace("\(Call.lines(head.headers))")
        }

        /// There is another attempt.
        func again(_ reason: AttemptRecord.Reason, _ request: EncodedRequest) {
            let text = reason == .redirect ? "redirected to" : "\(reason):"
            logger.debug("\(text) \(request), after \(elapsed)")
        }

        /// The body is in memory.
        func received(_ response: Response) {
            progress.withLock { progress in
                progress.status = response.status
                progress.bodySize = response.bytes.count
            }
            show(response.bytes)
        }

        /// The body is in a file.
        func stored(_ count: Int64) { progress.withLock { $0.bodySize = Int(clamping: count) } }

        private func show(_ bytes: ByteChunk) {
            guard bodyLimit > 0, !bytes.isEmpty else { return }
            logger.trace("\(LoggedBody(bytes, limit: bodyLimit))")
        }

        private static func size(of body: RequestBody) -> String {
            if case .none = body { return "no body" }
            return body.length.map { "\($0) bytes" } ?? "a body of unknown length"
        }

        private static func lines(_ fields: HTTPFields) -> String {
            fields.map { field in
                let name = field.name.rawName
                return "\(PeerText.printable(name)): \(PeerText.printable(Redaction.value(field.value, of: name)))"
            }.joined(separator: "\n")
        }
    }
}
