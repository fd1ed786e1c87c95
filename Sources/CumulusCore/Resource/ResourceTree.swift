// SPDX-License-Identifier: Apache-2.0

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
