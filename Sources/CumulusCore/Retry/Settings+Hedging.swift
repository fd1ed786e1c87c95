// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Whether a late GET or HEAD is sent once more, and the first response taken; see ``Hedging``.
    ///
    /// ``Response/attempts`` reports it. Default: `nil`, which costs nothing. The nearest layer wins.
    public var hedging: Hedging? {
        get { self[HedgingKey.self] }
        set { self[HedgingKey.self] = newValue }
    }
}

/// The key of ``Settings/hedging``.
enum HedgingKey: SettingKey {
    /// No.
    static var defaultValue: Hedging? { nil }

    /// It changes no request, so it can bring nothing from one origin to another.
    static var crossesOrigins: Bool { true }

    /// How often something was asked is not part of the answer.
    static var affectsAnswer: Bool { false }
}
