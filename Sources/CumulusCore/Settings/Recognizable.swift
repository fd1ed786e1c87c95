// SPDX-License-Identifier: Apache-2.0

/// A value that can tell whether it is the same as another, although not all of its parts are `Equatable`.
protocol Recognizable {
    func isSame(as other: Any) -> Bool
}

extension Recognizable {
    /// Whether two values are known to be the same: equal, or the same object.
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
        guard let other = other as? LayeredSetting, key == other.key else { return false }
        return self === other || Self.areSame(value, other.value)
    }
}

extension SettingList: Recognizable {
    func isSame(as other: Any) -> Bool {
        guard let other = other as? SettingList<Element>, count == other.count else { return false }
        return zip(elements, other.elements).allSatisfy { Self.areSame($0, $1) }
    }
}
