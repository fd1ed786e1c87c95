// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A JSON body under construction: each data item puts one value at its path.
struct NestedJSON {
    /// The value so far; `nil` before the first item.
    private(set) var value: JSON?

    /// Puts a value at a key's path; the last one wins.
    ///
    /// - Throws: ``UsageMistake`` if a value of another kind is in the way.
    mutating func put(_ new: JSON, at name: String) throws(UsageMistake) {
        let key = try NestedKey(parsing: name)
        // Taken out, so that nothing else refers to it.
        var root = value ?? .null
        value = nil
        try NestedJSON.put(new, at: key.steps[...], in: &root, of: name)
        value = root
    }

    private static func put(
        _ new: JSON,
        at steps: ArraySlice<NestedKey.Step>,
        in place: inout JSON,
        of name: String
    ) throws(UsageMistake) {
        guard let step = steps.first else {
            place = new
            return
        }
        let rest = steps.dropFirst()
        // Changed in place, since a copy for each item would take long.
        switch step {
        case .member(let key):
            guard place.isNull || place.object != nil else { throw mistake(name, needs: "an object", butIs: place) }
            try put(new, at: rest, in: &place[key], of: name)
        case .element, .append:
            guard let count = place.isNull ? 0 : place.array?.count else {
                throw mistake(name, needs: "an array", butIs: place)
            }
            let index = if case .element(let number) = step { number } else { count }
            for missing in count..<max(count, index) { place[missing] = .null }
            try put(new, at: rest, in: &place[index], of: name)
        }
    }

    private static func mistake(_ name: String, needs wanted: String, butIs present: JSON) -> UsageMistake {
        let kind =
            switch present {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        return UsageMistake("the key \(quoted(name)) expects \(wanted), but an earlier item set \(kind)")
    }
}
