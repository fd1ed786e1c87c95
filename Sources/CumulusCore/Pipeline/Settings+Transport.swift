// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The transport that sends the requests; `nil` for the tree's own.
    ///
    /// The nearest setting wins, even if a link or a redirect leads to a different origin, so requests for which a stub
    /// is set never reach the network. The transport also sends the token requests of an authorizer. Tokens, limits and
    /// the retry budget are shared with the other transports, so if you use a stub for a login, use a separate authorizer. The code
    /// that created the transport has to shut it down. A ``TransportSettingKey`` puts a transport in front of it.
    public var transport: (any Transport)? {
        get { self[key: TransportKey.self] }
        set { self[key: TransportKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/transport``.
enum TransportKey: HarmlessSettingKey {
    /// The tree's own transport.
    static var defaultValue: (any Transport)? { nil }
    /// The transport's type.
    static func describe(_ value: (any Transport)?) -> String { value.map { "\(type(of: $0))" } ?? "the tree's own" }
}

extension SettingsSnapshot {
    /// The transport that sends the requests.
    var transport: any Transport { pipeline.transport }
}
