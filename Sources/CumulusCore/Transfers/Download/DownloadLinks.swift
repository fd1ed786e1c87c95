// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Follows the links of one download, mirrors and renewed ones, with the settings that its call began with.
struct DownloadLinks: Sendable {
    /// What a link inherits.
    private let settings: SettingsSnapshot

    /// Takes what links from a resource inherit: from an untouched link, what that one does (``Resource/follow(_:)``).
    init(of resource: Resource, _ settings: SettingsSnapshot) {
        self.settings = resource.isUntouchedLink ? resource.base?.snapshot ?? settings : settings
    }

    /// The same request for another URL, absolute or relative to a draft's; at another origin only harmless settings
    /// are sent along.
    ///
    /// - Throws: ``CumulusError`` for what is not a URL.
    func draft(_ link: String, after draft: RequestDraft) throws -> RequestDraft {
        let resource = draft.resource.follow(link, from: draft.path)
        let isElsewhere = try resource.addressOrRefusal().origin != draft.origin
        return try RequestDraft(
            method: .get,
            resource: resource,
            settings: resource.settings(over: settings),
            query: [:],
            headers: isElsewhere ? [:] : draft.headers,
            payload: .none,
            wanted: nil
        )
    }
}
