// SPDX-License-Identifier: Apache-2.0

public import Logging

extension Settings {
    /// The logger of calls: failures at `error`, the end of a call at `info`, its steps at `debug`, header fields at
    /// `trace`.
    ///
    /// Secrets are redacted: query values, and header fields by their names. Default: none, unless the environment
    /// variable `CUMULUS_LOGGING` is `error`, `info`, `debug` or `trace`; `YES`, `true`, `1` and `on` mean `info`. It
    /// is read once, and an unknown word is reported on standard error. The nearest layer wins, and `nil` turns logging
    /// off.
    public var logger: Logger? {
        get { self[LoggerKey.self] }
        set { self[LoggerKey.self] = newValue }
    }

    /// How many bytes of each body are logged at `trace`; they are not redacted.
    ///
    /// Default: 0, no bodies. The nearest layer wins.
    public var loggedBodySize: Int {
        get { self[LoggedBodySizeKey.self] }
        set { self[LoggedBodySizeKey.self] = newValue }
    }
}

/// The key of ``Settings/logger``.
enum LoggerKey: HarmlessSettingKey {
    /// The environment's.
    static var defaultValue: Logger? { EnvironmentLogging.level.map(EnvironmentLogging.logger) }

    /// The label and the level.
    static func describe(_ value: Logger?) -> String {
        value.map { "\($0.label) at \($0.logLevel)" } ?? "none"
    }

    /// It only observes.
    static var affectsAnswer: Bool { false }
}

/// The key of ``Settings/loggedBodySize``.
enum LoggedBodySizeKey: HarmlessSettingKey {
    /// No bodies.
    static var defaultValue: Int { 0 }

    /// It only affects logs.
    static var affectsAnswer: Bool { false }
}
