// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Whether a late GET or HEAD is sent again, and the first response taken; see ``Hedging``.
    ///
    /// ``Response/attempts`` reports it. Default: `nil`, which costs nothing. The nearest layer wins.
    public var hedging: Hedging? {
        get { self[HedgingKey.self] }
        set { self[HedgingKey.self] = newValue }
    }
}

/// The key of ``Settings/hedging``.
enum HedgingKey: SettingKey {
    /// `nil`.
    static var defaultValue: Hedging? { nil }

    /// It changes no request, so it can reveal nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// The number of requests is not part of the answer.
    static var affectsAnswer: Bool { false }
}
