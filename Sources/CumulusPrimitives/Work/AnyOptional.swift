// SPDX-License-Identifier: Apache-2.0

/// An optional among values or types of any kind: `value as? any AnyOptional`, `type as? any AnyOptional.Type`.
package protocol AnyOptional {
    /// The type of the wrapped value.
    static var wrappedType: any Any.Type { get }
    /// The wrapped value, if there is one.
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    package static var wrappedType: any Any.Type { Wrapped.self }

    package var wrapped: Any? {
        switch self {
        case .some(let value): .some(value as Any)
        case .none: nil
        }
    }
}
