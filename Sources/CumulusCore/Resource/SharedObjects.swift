// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The objects that all requests of a tree share by name, such as the session of a user.
final class SharedObjects: Sendable {
    /// The maximum number of objects; more than that many users are rarely active at one time.
    static let most = 4_096

    private struct State {
        var objects: [String: (object: any AnyObject & Sendable, usedAt: UInt64)] = [:]
        var uses: UInt64 = 0

        /// Finds an object, and records its use.
        mutating func object(named name: String) -> (any AnyObject & Sendable)? {
            uses += 1
            objects[name]?.usedAt = uses
            return objects[name]?.object
        }

        /// Removes the least recently used quarter.
        ///
        /// - Returns: The removed objects.
        mutating func makeRoom() -> [any AnyObject & Sendable] {
            guard objects.count >= SharedObjects.most else { return [] }
            let oldest = objects.sorted { $0.value.usedAt < $1.value.usedAt }.prefix(SharedObjects.most / 4)
            return oldest.compactMap { objects.removeValue(forKey: $0.key)?.object }
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.objects.count) }

    /// The object with a name; `make` makes it if it is missing.
    func object<Object: AnyObject & Sendable>(named name: String, make: () -> Object) -> Object {
        if let known = state.withLock({ $0.object(named: name) }) as? Object { return known }
        let made = make()
        let (object, removed) = state.withLock { state -> (Object, [any AnyObject & Sendable]) in
            if let other = state.object(named: name) as? Object { return (other, []) }
            let removed = state.makeRoom()
            state.objects[name] = (made, state.uses)
            return (made, removed)
        }
        // Released here, not under the lock.
        withExtendedLifetime(removed) {}
        return object
    }
}

extension Resource {
    /// Returns an object that all resources of the tree share by its name, such as a user's session; `make` creates it
    /// if it is missing.
    ///
    /// Use it in an authorizer that your server creates for each request that it handles: the name should contain the
    /// authorizer's kind, the origin and the user. The tree retains 4,096 objects. If there are more, the least
    /// recently used ones are released.
    public func sharedObject<Object: AnyObject & Sendable>(named name: String, make: () -> Object) -> Object {
        tree.context.sharedObjects.object(named: name, make: make)
    }
}
