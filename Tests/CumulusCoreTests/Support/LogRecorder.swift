// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A log that a test reads.
final class LogRecorder: Sendable {
    /// A line, with the metadata of its logger, of its task, and its own.
    struct Line: Sendable {
        let level: Logger.Level
        let text: String
        let metadata: [String: String]
    }

    private let stored = Mutex<[Line]>([])

    var lines: [Line] { stored.withLock { $0 } }
    var texts: [String] { lines.map(\.text) }

    func add(_ line: Line) { stored.withLock { $0.append(line) } }

    func logger(_ level: Logger.Level, _ provider: Logger.MetadataProvider? = nil) -> Logger {
        var logger = Logger(label: "test") { _ in Sink(recorder: self, metadataProvider: provider) }
        logger.logLevel = level
        return logger
    }

    private struct Sink: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
            recorder.add(Line(level: event.level, text: "\(event.message)", metadata: all.mapValues { "\($0)" }))
        }
    }
}
