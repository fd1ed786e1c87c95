// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// Applies the difference between two values of a type to this document, of which the type knows only a part.
    ///
    /// Members in neither value are kept, as are the order of members and the notation of numbers.
    ///
    /// - Parameters:
    ///   - before: The value that the type decoded from this document.
    ///   - after: The changed value.
    /// - Returns: The changed document.
    /// - Throws: ``JSONPatchProblem`` for a list if the type doesn't have all of its elements.
    package func carrying(from before: JSON, to after: JSON) throws(JSONPatchProblem) -> JSON {
        try carrying(from: before, to: after, at: "")
    }

    private func carrying(from before: JSON, to after: JSON, at path: String) throws(JSONPatchProblem) -> JSON {
        if before == after { return self }
        switch (self, before, after) {
        case (.object(var members), .object(let was), .object(let becomes)):
            for key in was.keys where becomes[key] == nil { members[key] = nil }
            for (key, value) in becomes where was[key] != value {
                guard let known = members[key], let old = was[key] else {
                    members[key] = value
                    continue
                }
                members[key] = try known.carrying(from: old, to: value, at: JSONPointer.appending(key, to: path))
            }
            return .object(members)
        case (.array(let elements), .array(let was), .array(let becomes)):
            guard elements.count == was.count else {
                throw JSONPatchProblem(
                    "the list at \"\(path)\" has \(elements.count) elements in the document, and \(was.count) in the type, "
                        + "so a change of it would lose some"
                )
            }
            var changed: [JSON] = []
            for step in JSONAlignment.steps(from: was, to: becomes) {
                switch step {
                case .keep(let from, _): changed.append(elements[from])
                case .change(let from, let to):
                    changed.append(try elements[from].carrying(from: was[from], to: becomes[to], at: "\(path)/\(from)"))
                case .remove: break
                case .insert(let to): changed.append(becomes[to])
                }
            }
            return .array(changed)
        default: return after
        }
    }
}
