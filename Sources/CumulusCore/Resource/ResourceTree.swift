// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state that all resources of a tree share: the defaults, their requests' context, and a count of changes.
final class ResourceTree: Sendable {
    let defaults: SettingsSnapshot
    let context: TreeContext
    /// The revisions of fetched representations; facts are not settings.
    let revisions = RevisionStore()
    private let changes = Atomic<UInt64>(1)

    init(transport: any Transport) {
        context = TreeContext(transport: transport)
        defaults = SettingsSnapshot(context)
    }

    /// The number of the latest change; never 0.
    var version: UInt64 { changes.load(ordering: .acquiring) }

    /// Makes a stored change visible to the whole tree.
    func advance() { changes.add(1, ordering: .releasing) }
}
