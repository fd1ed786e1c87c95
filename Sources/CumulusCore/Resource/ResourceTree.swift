// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The state that all resources of a tree share: its rules, and its requests' context.
final class ResourceTree: Sendable {
    let context: TreeContext
    let rules: RuleTable
    /// The revisions of fetched representations; facts are not settings.
    let revisions = RevisionStore()

    init(root: RulePath, transport: any Transport) {
        context = TreeContext(transport: transport)
        rules = RuleTable(root: root, over: SettingsSnapshot(context))
    }
}

/// The objects that all requests of a tree share: the transport, and the records of running requests.
struct TreeContext: Sendable {
    let transport: any Transport
    let callList = RunningCallList()
    /// Exchanges that several callers wait for; at most 1,024 callers for each.
    let joins = WorkTable<JoinKey, Response>(mostWaiters: 1024)
    let retryBudgets = RetryBudgets()
    let observed = ObservedRequests()
    let sharedObjects = SharedObjects()
}
