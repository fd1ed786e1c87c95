// SPDX-License-Identifier: Apache-2.0

// JSON Patch (RFC 6902).

extension JSON {
    /// The JSON patch from this value to another (RFC 6902): an array of operations, empty if nothing differs.
    public func patch(to other: JSON) -> JSON {
        var operations: [JSON] = []
        JSON.collect(from: self, to: other, at: "", into: &operations)
        return .array(operations)
    }

    private static func collect(from old: JSON, to new: JSON, at path: String, into operations: inout [JSON]) {
        if old == new { return }
        switch (old, new) {
        case (.object(let was), .object(let becomes)):
            for key in was.keys where becomes[key] == nil {
                operations.append(["op": "remove", "path": .string(JSONPointer.appending(key, to: path))])
            }
            for (key, value) in becomes {
                let place = JSONPointer.appending(key, to: path)
                if let known = was[key] {
                    collect(from: known, to: value, at: place, into: &operations)
                } else {
                    operations.append(["op": "add", "path": .string(place), "value": value])
                }
            }
        case (.array(let was), .array(let becomes)):
            collect(from: was, to: becomes, at: path, into: &operations)
        default: operations.append(["op": "replace", "path": .string(path), "value": new])
        }
    }

    private static func collect(from old: [JSON], to new: [JSON], at path: String, into operations: inout [JSON]) {
        var position = 0
        for step in JSONAlignment.steps(from: old, to: new) {
            let place = JSON.string("\(path)/\(position)")
            switch step {
            case .keep: position += 1
            case .change(let from, let to):
                collect(from: old[from], to: new[to], at: "\(path)/\(position)", into: &operations)
                position += 1
            case .remove: operations.append(["op": "remove", "path": place])
            case .insert(let to):
                operations.append(["op": "add", "path": place, "value": new[to]])
                position += 1
            }
        }
    }

    /// Applies a JSON patch to this value (RFC 6902): all of its operations, or none.
    ///
    /// - Parameter patch: An array of operations.
    /// - Returns: The changed value.
    /// - Throws: ``JSONPatchProblem`` for an operation that can't be applied, and for a `test` that fails.
    public func applying(patch: JSON) throws(JSONPatchProblem) -> JSON {
        guard let operations = patch.array else { throw JSONPatchProblem("a JSON patch is an array of operations") }
        var value = self
        for (number, operation) in operations.enumerated() {
            do throws(JSONPatchProblem) {
                try value.apply(operation)
            } catch {
                throw JSONPatchProblem("operation \(number) of the JSON patch: \(error.reason)")
            }
        }
        return value
    }

    private mutating func apply(_ operation: JSON) throws(JSONPatchProblem) {
        let path = try operation.pointer("path")
        switch operation["op"].string {
        case "add": try add(try operation.newValue(), at: path[...])
        case "remove": _ = try remove(at: path[...])
        case "replace":
            let new = try operation.newValue()
            if !path.isEmpty {
                _ = try value(at: path)
                // A replaced member keeps its place in the order.
                if case .array = try value(at: Array(path.dropLast())) { _ = try remove(at: path[...]) }
            }
            try add(new, at: path[...])
        case "move":
            let from = try operation.pointer("from")
            if path.count > from.count, path.starts(with: from) {
                throw JSONPatchProblem("a value can't be moved into itself")
            }
            let moved = try remove(at: from[...])
            try add(moved, at: path[...])
        case "copy": try add(try value(at: try operation.pointer("from")), at: path[...])
        case "test":
            guard try value(at: path) == operation.newValue() else { throw JSONPatchProblem("the test failed") }
        case let name: throw JSONPatchProblem("\"\(name ?? "")\" is not an operation")
        }
    }

    private func newValue() throws(JSONPatchProblem) -> JSON {
        guard let value = object?["value"] else { throw JSONPatchProblem("it has no value") }
        return value
    }

    private func pointer(_ member: String) throws(JSONPatchProblem) -> [String] {
        guard let text = self[member].string, let names = JSONPointer.names(text) else {
            throw JSONPatchProblem("its \"\(member)\" is not a JSON Pointer")
        }
        return names
    }

    private func value(at path: [String]) throws(JSONPatchProblem) -> JSON {
        var value = self
        for name in path {
            if let member = value.object?[name] {
                value = member
            } else if let array = value.array, let index = JSONPointer.index(name), index < array.count {
                value = array[index]
            } else {
                throw JSONPatchProblem("there is nothing at \"\(name)\"")
            }
        }
        return value
    }

    private mutating func add(_ new: JSON, at path: ArraySlice<String>) throws(JSONPatchProblem) {
        guard let name = path.first else {
            self = new
            return
        }
        switch self {
        case .object(var members):
            if path.count == 1 {
                members[name] = new
            } else {
                guard var member = members[name] else { throw JSONPatchProblem("there is nothing at \"\(name)\"") }
                try member.add(new, at: path.dropFirst())
                members[name] = member
            }
            self = .object(members)
        case .array(var elements):
            let index = name == "-" && path.count == 1 ? elements.count : JSONPointer.index(name)
            guard let index, index < elements.count || path.count == 1 && index == elements.count else {
                throw JSONPatchProblem("there is no element \"\(name)\"")
            }
            if path.count == 1 {
                elements.insert(new, at: index)
            } else {
                try elements[index].add(new, at: path.dropFirst())
            }
            self = .array(elements)
        default: throw JSONPatchProblem("\"\(name)\" is in neither an object nor an array")
        }
    }

    private mutating func remove(at path: ArraySlice<String>) throws(JSONPatchProblem) -> JSON {
        guard let name = path.first else { throw JSONPatchProblem("the whole value can't be removed") }
        var removed: JSON
        switch self {
        case .object(var members):
            guard var member = members[name] else { throw JSONPatchProblem("there is nothing at \"\(name)\"") }
            removed = member
            if path.count == 1 {
                members[name] = nil
            } else {
                removed = try member.remove(at: path.dropFirst())
                members[name] = member
            }
            self = .object(members)
        case .array(var elements):
            guard let index = JSONPointer.index(name), index < elements.count else {
                throw JSONPatchProblem("there is no element \"\(name)\"")
            }
            if path.count == 1 {
                removed = elements.remove(at: index)
            } else {
                removed = try elements[index].remove(at: path.dropFirst())
            }
            self = .array(elements)
        default: throw JSONPatchProblem("\"\(name)\" is in neither an object nor an array")
        }
        return removed
    }
}
