// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Keeps the warnings of a log.
final class Warnings: LogHandler, Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock(\.self) }
    var count: Int { all.count }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { texts.withLock { $0.append("\(event.message)") } }
}
