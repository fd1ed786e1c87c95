// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Logging

/// Prints what the library warns of as notes of the command.
struct NoteLog: LogHandler {
    let console: Console
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    /// A logger for a console; one that prints nothing if the command is silent.
    static func logger(_ console: Console, isSilent: Bool) -> Logger {
        Logger(label: "cumulus") { _ in
            if isSilent { return SwiftLogNoOpLogHandler() }
            return NoteLog(console: console)
        }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = metadata.merging(event.metadata ?? [:]) { _, own in own }
            .sorted { $0.key < $1.key }
            // The message announces a problem itself.
            .map { $0.key == "problem" ? "\($0.value)" : "\($0.key): \($0.value)" }
        let text = details.isEmpty ? "\(event.message)" : "\(event.message): \(details.joined(separator: ", "))"
        console.note("cumulus: warning: \(PeerText.printable(text, limit: 1_000))")
    }
}
