// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The members of an object in a description, found case-insensitively and taken one by one.
struct DescriptionMembers {
    private var members: [(key: String, value: JSON)]
    let place: String

    /// Reads an object; names that differ only in case are reported, and so is a value that is not an object.
    init(_ value: JSON, at place: String, _ problems: inout [ServiceProblem]) {
        self.place = place
        members = []
        guard let object = value.object else {
            problems.append(ServiceProblem(.wrongType, at: place, "this must be an object"))
            return
        }
        var seen: Set<String> = []
        for (key, value) in object where !key.begins(with: "x-") {
            if seen.insert(key.lowercased()).inserted {
                members.append((key, value))
            } else {
                let message = "\(PeerText.quoted(key)) occurs twice"
                problems.append(ServiceProblem(.duplicate, at: DescriptionMembers.place(key, in: place), message))
            }
        }
    }

    /// The place of a member.
    func place(_ key: String) -> String { DescriptionMembers.place(key, in: place) }

    private static func place(_ key: String, in place: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// Takes a member by one of its names, with the matching name; `nil` if there is none, or `null`.
    mutating func take(_ names: String...) -> (key: String, value: JSON)? {
        for name in names {
            guard let index = members.firstIndex(where: { $0.key.lowercased() == name.lowercased() }) else { continue }
            let found = members.remove(at: index)
            return found.value.isNull ? nil : found
        }
        return nil
    }

    /// Takes a member and converts it with a function; a failed conversion is reported.
    mutating func take<Value>(
        _ names: [String],
        _ wanted: String,
        _ problems: inout [ServiceProblem],
        _ make: (JSON) -> Value?
    ) -> Value? {
        let keys = members.map { $0.key.lowercased() }
        let index = names.compactMap { keys.firstIndex(of: $0.lowercased()) }.first
        guard let index else { return nil }
        let (key, value) = members.remove(at: index)
        if value.isNull { return nil }
        if let made = make(value) { return made }
        problems.append(ServiceProblem(.wrongType, at: place(key), "this must be a \(wanted)"))
        return nil
    }

    /// Reports the members that were not taken.
    func noteRest(_ problems: inout [ServiceProblem]) {
        for (key, _) in members {
            let message = "\(PeerText.quoted(key)) is not allowed here"
            problems.append(ServiceProblem(.unknownMember, at: place(key), message))
        }
    }
}
