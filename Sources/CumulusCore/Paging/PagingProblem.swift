// SPDX-License-Identifier: Apache-2.0

/// Why a run ended although there may be more pages: the cause of an error with ``CumulusError/Code/paging``.
public struct PagingProblem: Error, Sendable, Hashable {
    /// The kinds of problem.
    public enum Kind: Sendable, Hashable {
        /// The next page is at another origin that the rule doesn't allow (``PagingRule/leading(to:)``).
        case otherOrigin
        /// The next page was already requested, so the run would never end.
        case loop
        /// The next page's URL is invalid.
        case invalidLink
        /// The cursor, or a number that counts pages or items, is invalid.
        case invalidCursor
        /// A hundred pages in a row had no items, and the server named another; with `maxPages` this is no error.
        case emptyPages
        /// There are no items at the rule's path, or none were found.
        case noItems
    }

    /// The kind of problem.
    public let kind: Kind
    /// The problem in words, with the server's text.
    public let reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

extension PagingProblem: CodedProblem {
    var code: CumulusError.Code { .paging }

    /// The problem, in words.
    public var description: String { PeerText.printable(reason, limit: PeerText.longestMessage) }
}
