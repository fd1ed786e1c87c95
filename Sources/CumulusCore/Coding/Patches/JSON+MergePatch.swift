// SPDX-License-Identifier: Apache-2.0

// JSON Merge Patch (RFC 7396).

extension JSON {
    /// The merge patch from this value to another (RFC 7396): the members that differ, `null` for those to remove.
    ///
    /// - Parameter other: The resulting value.
    /// - Returns: The patch; an empty object if nothing differs.
    /// - Throws: ``JSONPatchProblem`` if a member must become `null`, which in a merge patch means its removal, or if
    ///   the two values aren't both objects.
    public func mergePatch(to other: JSON) throws(JSONPatchProblem) -> JSON {
        guard case .object(let old) = self, case .object(let new) = other else {
            throw JSONPatchProblem("a merge patch changes objects only")
        }
        return .object(try JSON.mergePatch(from: old, to: new, at: ""))
    }

    private static func mergePatch(
        from old: Object,
        to new: Object,
        at path: String
    ) throws(JSONPatchProblem) -> Object {
        var patch = Object()
        for key in old.keys where new[key] == nil { patch[key] = .null }
        for (key, value) in new where old[key] != value {
            let place = JSONPointer.appending(key, to: path)
            if case .object(let was)? = old[key], case .object(let becomes) = value {
                patch[key] = .object(try mergePatch(from: was, to: becomes, at: place))
            } else {
                try requireNoNull(value, at: place)
                patch[key] = value
            }
        }
        return patch
    }

    /// A member's new value is merged as well: `null` inside an object would be lost; in an array it is kept.
    private static func requireNoNull(_ value: JSON, at path: String) throws(JSONPatchProblem) {
        switch value {
        case .null: throw JSONPatchProblem("a merge patch can't set \"\(path)\" to null; a JSON patch or PUT can")
        case .object(let members):
            for (key, member) in members { try requireNoNull(member, at: JSONPointer.appending(key, to: path)) }
        case .bool, .number, .string, .array: break
        }
    }

    /// Applies a merge patch to this value (RFC 7396).
    public func applying(mergePatch patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? Object()
        for (key, change) in changes {
            // Not in one expression with a value, in which the nil literal would be JSON's null.
            if change.isNull {
                members.removeValue(forKey: key)
            } else {
                members[key] = (members[key] ?? .null).applying(mergePatch: change)
            }
        }
        return .object(members)
    }
}
