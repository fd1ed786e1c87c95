// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// How the service tells where its next page is, for ``Resource/pages(of:by:query:headers:maxPages:prefetches:)``.
    ///
    /// Default: ``PagingRule/automatic``. The nearest layer wins.
    public var paging: PagingRule {
        get { self[PagingKey.self] }
        set { self[PagingKey.self] = newValue }
    }
}

/// The key of ``Settings/paging``.
enum PagingKey: SettingKey {
    /// Whatever the answer has.
    static var defaultValue: PagingRule { .automatic }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// What comes behind an answer is not part of it.
    static var affectsAnswer: Bool { false }
}
