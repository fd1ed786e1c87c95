// SPDX-License-Identifier: Apache-2.0

// Access to parts of a value, also for changes in place.

extension JSON {
    /// The member with this key; `null` if it is missing, or if this isn't an object.
    ///
    /// To distinguish an absent member from a `null` one, use `object?["key"]`. Assigning adds or replaces the member;
    /// a value that isn't an object becomes an object first.
    public subscript(_ key: String) -> JSON {
        get {
            guard case .object(let object) = self else { return .null }
            return object[key] ?? .null
        }
        _modify {
            var object: Object
            if case .object(let present) = self { object = present } else { object = Object() }
            self = .null
            let position = object.positionForWriting(key)
            defer { self = .object(object) }
            yield &object.storedValues[position]
        }
    }

    /// The element at this index; `null` past the end, or if this isn't an array.
    ///
    /// Assigning replaces the element, or appends one if the index is the number of elements. A value that isn't an
    /// array becomes an array first.
    ///
    /// - Precondition: When assigning, `index` is between 0 and the number of elements.
    public subscript(_ index: Int) -> JSON {
        get {
            guard case .array(let array) = self, array.indices.contains(index) else { return .null }
            return array[index]
        }
        _modify {
            var array: [JSON]
            if case .array(let present) = self { array = present } else { array = [] }
            self = .null
            if index == array.count { array.append(.null) }
            precondition(
                array.indices.contains(index),
                "An element can be replaced or appended, but not inserted past the end."
            )
            defer { self = .array(array) }
            yield &array[index]
        }
    }
}
