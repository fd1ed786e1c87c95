// SPDX-License-Identifier: Apache-2.0

/// A value of many parts, held in one place, so that handing it from stage to stage costs one reference.
///
/// Copied when it is changed while somebody else has it, as arrays are.
struct Shared<Value: Sendable>: Sendable {
    // Unchecked: written only while there is no other reference to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

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
