// SPDX-License-Identifier: Apache-2.0

/// Your own named values that accompany requests: for hooks, logs and ``ListedCall``, never sent.
///
/// For a value of a fixed type, prefer your own key (``SettingKey``).
public struct UserValues: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: any Sendable] = [:]

    /// Creates a collection without values.
    public init() {}

    /// Creates a collection from names and values.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        for (name, value) in elements { values[name] = value }
    }

    /// The value with this name.
    public subscript(name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    func merging(_ nearer: UserValues) -> UserValues {
        var merged = self
        merged.values.merge(nearer.values) { _, nearer in nearer }
        return merged
    }
}

extension Resource.Settings {
    /// Your own values that accompany requests; they are never sent.
    ///
    /// Default: none. Merged by name; the nearest layer wins.
    public var userInfo: UserValues {
        get { self[key: UserInfoKey.self] }
        set { self[key: UserInfoKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/userInfo``.
enum UserInfoKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: UserValues { UserValues() }
    /// The nearer value of each name.
    static func combine(inherited: UserValues, own: UserValues) -> UserValues { inherited.merging(own) }
    /// The names.
    static func describe(_ value: UserValues) -> String { value.names.joined(separator: ", ") }
}
