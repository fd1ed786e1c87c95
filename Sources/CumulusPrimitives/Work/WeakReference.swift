// SPDX-License-Identifier: Apache-2.0

/// A weak reference that a `Sendable` class can store.
///
/// A class would need `weak let` (SE-0481), which Swift before 6.2.3 lacks: Xcode 26.0 and 26.1.
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    package private(set) weak var object: Object?

    package init(_ object: Object?) { self.object = object }
}
