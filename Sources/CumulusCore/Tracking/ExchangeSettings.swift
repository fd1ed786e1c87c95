// SPDX-License-Identifier: Apache-2.0

/// The settings that an answer depends on, compared: who asks (authorizers, interceptors), and how (redirects, limits).
///
/// Where it can't tell that two values are the same, it says that they are not.
struct ExchangeSettings: Sendable, Hashable {
    private let stored: [ObjectIdentifier: any LayeredValue]

    init(_ values: SettingsSnapshot.Values) {
        stored = values.ofAnswer
    }

    static func == (left: ExchangeSettings, right: ExchangeSettings) -> Bool {
        left.stored.count == right.stored.count
            && left.stored.allSatisfy { key, value in right.stored[key].map { value.isSame(as: $0) } ?? false }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(stored.count) }
}

/// A value that can tell whether another is the same, though not all that it holds is `Equatable`.
protocol Recognizable {
    func isSame(as other: Any) -> Bool
}

extension Recognizable {
    /// Whether two values are known to be the same: equal, or one object.
    static func areSame(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any Equatable { return areEqual(left, right) }
        if let left = left as? any Recognizable { return left.isSame(as: right) }
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return (left as AnyObject) === (right as AnyObject)
    }

    private static func areEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { left == right as? Value }
}

extension LayeredSetting: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? LayeredSetting<Key> else { return false }
        return self === other || Self.areSame(value, other.value)
    }
}

extension SettingList: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? SettingList<Element>, count == other.count else { return false }
        return zip(elements, other.elements).allSatisfy { Self.areSame($0, $1) }
    }
}

extension BoundAuthorizer: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? BoundAuthorizer, origin == other.origin else { return false }
        return Self.areSame(authorizer, other.authorizer)
    }
}
