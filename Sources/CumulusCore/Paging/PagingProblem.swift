// SPDX-License-Identifier: Apache-2.0

/// Why there are no more pages, though there may be: the cause of an error with ``CumulusError/Code/paging``.
public struct PagingProblem: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The next page is at another origin, to which the rule doesn't lead (``PagingRule/leading(to:)``).
        case otherOrigin
        /// The next page was asked for before, so that it would go on in a circle.
        case loop
        /// What should be the next page's URL is none.
        case invalidLink
        /// The cursor, or a number that counts pages or items, is none.
        case invalidCursor
        /// A hundred pages in a row had no items, and the server named another; with `maxPages` that is no problem.
        case emptyPages
        /// There are no items where the rule has them, or nowhere.
        case noItems
    }

    /// What is wrong.
    public let kind: Kind
    /// The same in words, with what the server said.
    public let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

extension PagingProblem: CodedProblem {
    var code: CumulusError.Code { .paging }

    /// What is wrong, in words.
    public var description: String { PeerText.printable(reason, limit: PeerText.longestMessage) }
}
