// SPDX-License-Identifier: Apache-2.0

/// A value of many parts, stored once, so that passing it from stage to stage costs one reference.
///
/// It is copied on write if it is shared, like an array.
struct Shared<Value: Sendable>: Sendable {
    // Unchecked: written only while there is no other reference to it.
    private final class Storage: @unchecked Sendable {
        // Without checks of exclusive access: the compiler checks the value that holds the storage.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
