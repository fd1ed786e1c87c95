// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The gates of a tree by place, shared by all objects of a place; a gate lives as long as one of these objects.
final class PlaceTable<Gate: AnyObject & Sendable>: Sendable {
    private struct Held: Sendable {
        weak var gate: Gate?
    }

    private let gates = Mutex<[String: Held]>([:])
    private let make: @Sendable () -> Gate

    init(_ make: @escaping @Sendable () -> Gate) { self.make = make }

    /// The gate of a place.
    func gate(at place: Place) -> Gate {
        guard let address = try? place.address.get() else { return make() }
        let name = "\(address.origin)\(address.path)"
        return gates.withLock { gates in
            if let gate = gates[name]?.gate { return gate }
            let gate = make()
            gates[name] = Held(gate: gate)
            // Released gates are removed as the table grows.
            if gates.count.isMultiple(of: 64) { gates = gates.filter { $0.value.gate != nil } }
            return gate
        }
    }
}
