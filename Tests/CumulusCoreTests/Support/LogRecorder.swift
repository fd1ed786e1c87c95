// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A log that a test reads.
final class LogRecorder: Sendable {
    private let stored = Mutex<[(level: Logger.Level, text: String)]>([])

    var lines: [(level: Logger.Level, text: String)] { stored.withLock { $0 } }
    var texts: [String] { lines.map(\.text) }

    func add(_ level: Logger.Level, _ text: String) { stored.withLock { $0.append((level, text)) } }

    func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in Sink(recorder: self) }
        logger.logLevel = level
        return logger
    }

    private struct Sink: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { recorder.add(event.level, "\(event.message)") }
    }
}
