// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Logging as configured by the environment variable `CUMULUS_LOGGING`.
enum EnvironmentLogging {
    /// The level; `nil` if nothing is logged.
    ///
    /// It is read once: changes to the environment while the program runs have no effect.
    static let level: Logger.Level? = level(
        named: getenv("CUMULUS_LOGGING").map { String(cString: $0) },
        else: { tell($0) }
    )

    /// The level of a word; `nil` for a word that turns logging off, and for an invalid one, which is reported.
    static func level(named word: String?, else tell: (String) -> Void = { _ in }) -> Logger.Level? {
        switch word?.lowercased() {
        case "info": return .info
        // The words that turned it on in the predecessors, where each call had a line.
        case "debug", "yes", "true", "1", "on": return .debug
        case "trace": return .trace
        case nil, "", "off", "no", "false", "0": return nil
        default:
            tell(
                "Cumulus: warning: CUMULUS_LOGGING is \(PeerText.quoted(word ?? "")), which is not one of info, debug (or "
                    + "YES, true, 1, on), trace or off (or NO, false, 0): nothing is logged.\n"
            )
            return nil
        }
    }

    private static func tell(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }

    /// Creates a new logger each time, so that a program may choose its log handler after making its first resource.
    static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "cumulus")
        logger.logLevel = level
        return logger
    }
}
