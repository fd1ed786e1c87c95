// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why a run ended even though there may be more pages: the cause of an error with
/// ``CumulusError/Code/paging``.
public struct PagingProblem: Error, Sendable, Hashable {
    /// The kinds of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The next page is at a different origin, which the rule doesn't allow (``PagingRule/leading(to:)``).
        case otherOrigin
        /// The next page was already requested, so the run would never end.
        case loop
        /// The next page's URL is invalid.
        case invalidLink
        /// The cursor, or a number of pages or items, is invalid.
        case invalidCursor
        /// There is a next page, but it is specified in a form that the rule doesn't support.
        case unknownForm
        /// A hundred pages in a row had no items, and the server named another page; with `maxPages`, this is not an
        /// error.
        case emptyPages
        /// It isn't clear which member of the page contains the items; ``PagingRule/items(at:)`` names it.
        case ambiguousItems
        /// There are no items at the rule's path, no items were found, or the page has no body even though its status
        /// isn't 204.
        case noItems
    }

    /// The kind of problem.
    public let kind: Kind
    /// A description of the problem, with the server's text.
    public let reason: String
    /// A rule that may find the next page; `nil` if none is known.
    public let suggestion: PagingRule?

    init(_ kind: Kind, _ reason: String, suggestion: PagingRule? = nil) {
        self.kind = kind
        self.reason = reason
        self.suggestion = suggestion
    }
}

extension PagingProblem: CodedProblem {
    var code: CumulusError.Code { .paging }

    /// A description of the problem, and its remedy.
    public var description: String {
        let hint =
            switch kind {
            case .otherOrigin: "; the rule's `leading(to:)` allows it"
            case .ambiguousItems: "; use `items(at:)` to choose"
            default: suggestion.map { "; try the rule `.\($0)`" } ?? ""
            }
        return PeerText.printable(reason, limit: PeerText.longestMessage) + hint
    }
}
