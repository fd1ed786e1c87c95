// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// How the service indicates its next page, for ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
    ///
    /// Default: ``PagingRule/automatic``. The nearest layer wins.
    public var paging: PagingRule {
        get { self[key: PagingKey.self] }
        set { self[key: PagingKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/paging``.
enum PagingKey: HarmlessSettingKey, UncomparedSettingKey {
    /// Finds the rule in the response.
    static var defaultValue: PagingRule { .automatic }
}
