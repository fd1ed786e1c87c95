// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What all resources of a tree share: the defaults, what their requests share, and a number that each change raises.
final class ResourceTree: Sendable {
    let defaults: SettingsSnapshot
    let context: TreeContext
    /// What was obtained from where; facts are not settings.
    let revisions = RevisionStore()
    private let changes = Atomic<UInt64>(1)

    init(transport: any Transport) {
        context = TreeContext(transport: transport)
        defaults = SettingsSnapshot(context)
    }

    /// The number of the latest change; never 0.
    var version: UInt64 { changes.load(ordering: .acquiring) }

    /// Makes a change that has been stored visible to all of the tree.
    func advance() { changes.add(1, ordering: .releasing) }
}
