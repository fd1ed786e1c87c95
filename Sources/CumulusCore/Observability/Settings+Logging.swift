// SPDX-License-Identifier: Apache-2.0

public import Logging

extension Resource.Settings {
    /// The logger for calls.
    ///
    /// It logs one line for each call at `debug`, the call's steps and header fields at `trace`, and problems that no
    /// error reports, such as retries, at `info`.
    ///
    /// Messages are fixed strings; the variable data of a line is in its metadata. Secrets are redacted: query values,
    /// and header fields by their names. Default: none, unless the environment variable `CUMULUS_LOGGING` is `info`,
    /// `debug` or `trace`; `YES`, `true`, `1` and `on` mean `debug`. It is read once, and an unknown value is reported
    /// on standard error. The nearest layer wins, and `nil` turns logging off.
    public var logger: Logger? {
        get { self[key: LoggerKey.self] }
        set { self[key: LoggerKey.self] = newValue }
    }

    /// The number of bytes of each body that are logged at `trace`.
    ///
    /// They are not redacted.
    ///
    /// Default: 0, which logs no bodies. The nearest layer wins.
    public var loggedBodySize: Int {
        get { self[key: LoggedBodySizeKey.self] }
        set { self[key: LoggedBodySizeKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/logger``.
enum LoggerKey: HarmlessSettingKey, UncomparedSettingKey {
    /// The environment's.
    static var defaultValue: Logger? { EnvironmentLogging.level.map(EnvironmentLogging.logger) }

    /// The label and the level.
    static func describe(_ value: Logger?) -> String {
        value.map { "\($0.label) at \($0.logLevel)" } ?? "none"
    }
}

/// The key of ``Resource/Settings/loggedBodySize``.
enum LoggedBodySizeKey: HarmlessSettingKey, UncomparedSettingKey {
    /// No bodies.
    static var defaultValue: Int { 0 }
}
