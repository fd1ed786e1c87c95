// SPDX-License-Identifier: Apache-2.0

// JSON Merge Patch (RFC 7396).

extension JSON {
    /// Returns the merge patch from this value to another (RFC 7396): the members that differ, with `null` for those to
    /// remove.
    ///
    /// - Parameter other: The resulting value.
    /// - Returns: The patch; an empty object if nothing differs.
    /// - Throws: ``JSONPatchProblem`` if a member must become `null`, which in a merge patch means its removal, or if
    ///   the two values aren't both objects.
    public func mergePatch(to other: JSON) throws(JSONPatchProblem) -> JSON {
        guard case .object(let old) = self, case .object(let new) = other else {
            throw JSONPatchProblem("a merge patch can change only objects")
        }
        var path: [String] = []
        return .object(try JSON.mergePatch(from: old, to: new, at: &path))
    }

    private static func mergePatch(
        from old: Object,
        to new: Object,
        at path: inout [String]
    ) throws(JSONPatchProblem) -> Object {
        var patch = Object()
        for key in old.keys where new[key] == nil { patch[key] = .null }
        for (key, value) in new {
            path.append(key)
            if case .object(let was)? = old[key], case .object(let becomes) = value {
                // Not compared before: each level would compare all that is below it.
                let changes = try mergePatch(from: was, to: becomes, at: &path)
                if !changes.isEmpty { patch[key] = .object(changes) }
            } else if old[key] != value {
                try requireNoNull(value, at: &path)
                patch[key] = value
            }
            path.removeLast()
        }
        return patch
    }

    /// A member's new value is merged as well: `null` inside an object would be lost; in an array it is kept.
    private static func requireNoNull(_ value: JSON, at path: inout [String]) throws(JSONPatchProblem) {
        switch value {
        case .null:
            let place = JSONPointer.text(of: path)
            throw JSONPatchProblem("a merge patch can't set \"\(place)\" to null; a JSON patch or PUT can")
        case .object(let members):
            for (key, member) in members {
                path.append(key)
                try requireNoNull(member, at: &path)
                path.removeLast()
            }
        case .bool, .number, .string, .array: break
        }
    }

    /// Applies a merge patch to this value (RFC 7396).
    public func applying(mergePatch patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? Object()
        var removed: [String] = []
        for (key, change) in changes {
            if change.isNull {
                removed.append(key)
            } else {
                members[key] = (members[key] ?? .null).applying(mergePatch: change)
            }
        }
        members.removeValues(forKeys: removed)
        return .object(members)
    }
}
