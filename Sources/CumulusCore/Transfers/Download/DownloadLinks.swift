// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Follows a download's renewed links with the settings that its call began with.
struct DownloadLinks: Sendable {
    /// The settings that a link inherits.
    private let settings: SettingsSnapshot

    /// Uses the settings that links from a resource inherit (``Resource/follow(_:)``).
    init(of resource: Resource, _ settings: SettingsSnapshot) {
        self.settings = resource.node.isLink ? resource.node.snapshotForLinks : settings
    }

    /// The same request for another URL, absolute or relative to a draft's.
    ///
    /// At another origin, only settings that reveal nothing are inherited.
    ///
    /// - Throws: ``CumulusError`` for a link that is not a URL.
    func draft(_ link: String, after draft: RequestDraft) throws -> RequestDraft {
        let resource = draft.resource.follow(link, from: draft.path)
        let isElsewhere = try resource.addressOrRefusal().origin != draft.origin
        let link = CallRequest(
            resource: resource,
            method: .get,
            payload: .none,
            query: [:],
            headers: isElsewhere ? [:] : draft.headers
        )
        let settings = resource.node.settings(over: settings)
        return try link.draft(settings, settings.pipeline)
    }
}
