// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// How the service indicates its next page, for ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
    ///
    /// Default: ``PagingRule/automatic``. The nearest layer wins.
    public var paging: PagingRule {
        get { self[PagingKey.self] }
        set { self[PagingKey.self] = newValue }
    }
}

/// The key of ``Settings/paging``.
enum PagingKey: HarmlessSettingKey {
    /// Finds the rule in the response.
    static var defaultValue: PagingRule { .automatic }

    /// Following pages are not part of the response.
    static var affectsAnswer: Bool { false }
}
