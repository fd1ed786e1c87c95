// SPDX-License-Identifier: Apache-2.0

public import Logging

extension SettingKeys {
    /// Where each request's phases are logged: failures at `error`, the end of a request at `info`, its steps at `debug`,
    /// header fields at `trace`.
    ///
    /// Secrets are redacted: query values, and header fields by their names. Default: none, unless the environment
    /// variable `CUMULUS_LOGGING` is `error`, `info`, `debug` or `trace`; it is read once. The nearest layer wins, and
    /// `nil` turns logging off.
    public var logger: LoggerKey.Type { LoggerKey.self }

    /// How many bytes of each body are logged at `trace`; they are not redacted.
    ///
    /// Default: 0, no bodies. The nearest layer wins.
    public var loggedBodySize: LoggedBodySizeKey.Type { LoggedBodySizeKey.self }
}

/// The key of ``SettingKeys/logger``.
public enum LoggerKey: SettingKey {
    /// What the environment says.
    public static var defaultValue: Logger? { EnvironmentLogging.level.map(EnvironmentLogging.logger) }

    /// Label and level.
    public static func describe(_ value: Logger?) -> String {
        value.map { "\($0.label) at \($0.logLevel)" } ?? "none"
    }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }

    /// It only looks on.
    public static var affectsAnswer: Bool { false }
}

/// The key of ``SettingKeys/loggedBodySize``.
public enum LoggedBodySizeKey: SettingKey {
    /// No bodies.
    public static var defaultValue: Int { 0 }

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }

    /// It is for looking on.
    public static var affectsAnswer: Bool { false }
}
