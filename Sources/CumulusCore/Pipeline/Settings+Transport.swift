// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// What sends the requests, instead of the tree's own transport; `nil` for that.
    ///
    /// The nearest wins, also at another origin that a link or a redirect leads to, so that what a stub should answer
    /// never reaches the network. Token requests of an authorizer are sent by it, too; but tokens, limits and the
    /// retries' budget are shared with the other transports, so a stub for a login needs an authorizer of its own. Whoever
    /// made the transport ends it. A ``TransportSettingKey`` puts another one before it.
    public var transport: (any Transport)? {
        get { self[key: TransportKey.self] }
        set { self[key: TransportKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/transport``.
enum TransportKey: HarmlessSettingKey {
    /// The tree's own.
    static var defaultValue: (any Transport)? { nil }
    /// Its type.
    static func describe(_ value: (any Transport)?) -> String { value.map { "\(type(of: $0))" } ?? "the tree's own" }
}

extension SettingsSnapshot {
    /// What sends the requests.
    var transport: any Transport { pipeline.transport }
}
