// SPDX-License-Identifier: Apache-2.0

/// The key of a setting that puts a transport in front of the one that would send the request: fixtures, a recording,
/// faults.
///
/// The key determines how values are inherited and combined; the transport behind it is
/// ``Resource/Settings/transport``, or the tree's own. Calls without such a setting have no extra cost.
///
/// ```swift
/// enum RecordingKey: TransportSettingKey {
///     static var defaultValue: Recording? { nil }
///     static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
///         settings[key: RecordingKey.self].map { RecordingTransport($0, next) } ?? next
///     }
/// }
/// ```
public protocol TransportSettingKey: SettingKey {
    /// Returns the transport for the calls with these settings, which is created once for all calls that share them.
    ///
    /// If there are several such settings, the one whose key has the last name in alphabetical order sees a request
    /// first.
    ///
    /// - Parameters:
    ///   - next: The transport that would send the requests; it sends those that the new transport passes on.
    ///   - settings: The effective settings.
    /// - Returns: The transport, or `next`.
    static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport
}

extension TransportSettingKey {
    /// The key itself.
    public static var transportKey: (any TransportSettingKey.Type)? { self }
}

extension SettingValues {
    /// A transport, behind those that settings put before it.
    func transport(behindSettings own: any Transport) -> any Transport {
        let keys = keys.compactMap { $0.transportKey }
        if keys.isEmpty { return own }
        let settings = Resource.Settings(over: self, in: LayerContext(origin: nil))
        return keys.sorted { String(reflecting: $0) < String(reflecting: $1) }
            .reduce(own) { next, key in key.transport(before: next, in: settings) }
    }
}
