// SPDX-License-Identifier: Apache-2.0

import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Logging as the environment variable `CUMULUS_LOGGING` turns it on.
enum EnvironmentLogging {
    /// The level; `nil` where nothing is logged.
    ///
    /// Read once: a change of the environment while the program runs has no effect.
    static let level: Logger.Level? = level(named: getenv("CUMULUS_LOGGING").map { String(cString: $0) })

    /// A word's level; `nil` for `off`, for nothing, and for a word that is none.
    static func level(named word: String?) -> Logger.Level? {
        switch word?.lowercased() {
        case "error": .error
        case "info": .info
        case "debug": .debug
        case "trace": .trace
        default: nil
        }
    }

    /// Made each time, so that a program may choose its log handler after the first resource was made.
    static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "cumulus")
        logger.logLevel = level
        return logger
    }
}
