// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The conditions under which a server should carry out a request (RFC 9110 section 13).
///
/// A header field of the same name in the request takes precedence.
public struct Conditions: Sendable, Hashable {
    /// For GET and HEAD: send the body only if its entity tag differs; `*` for other methods: only if nothing exists
    /// yet.
    ///
    /// Missing quotes are added.
    public var ifNoneMatch: String?
    /// For GET and HEAD: send the body only if it was modified after this date.
    public var ifModifiedSince: Date?
    /// For methods that change something: only if the entity tag matches.
    ///
    /// Missing quotes are added.
    public var ifMatch: String?
    /// For methods that change something: only if the document was not modified after this date.
    public var ifUnmodifiedSince: Date?
    /// For PUT, PATCH and DELETE: only if the document is unchanged since this tree last fetched it.
    ///
    /// Needs ``Resource/Settings/tracksRevisions``. Without a known revision that a server could compare, the request
    /// fails with ``CumulusError/Code/invalidRequest``, and nothing is sent.
    ///
    /// Where it is set, GET and HEAD request a body without compression. With compression, servers send another tag,
    /// or a weak one.
    public var ifUnchanged: Bool
    /// Whether `ifUnchanged` and ``Resource/update(as:by:query:headers:_:)`` also send a weak tag in `If-Match`.
    ///
    /// Servers must not accept one there (RFC 9110 section 13.1.1), but some services, such as those of OData, have only
    /// weak tags, and compare them. A tag in ``ifMatch`` is always sent as it is.
    public var sendsWeakTags: Bool

    /// Makes conditions.
    public init(
        ifNoneMatch: String? = nil,
        ifModifiedSince: Date? = nil,
        ifMatch: String? = nil,
        ifUnmodifiedSince: Date? = nil,
        ifUnchanged: Bool = false,
        sendsWeakTags: Bool = false
    ) {
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.ifMatch = ifMatch
        self.ifUnmodifiedSince = ifUnmodifiedSince
        self.ifUnchanged = ifUnchanged
        self.sendsWeakTags = sendsWeakTags
    }

    /// No conditions.
    public static let none = Conditions()
    /// Writes only if the document is unchanged.
    public static let ifUnchanged = Conditions(ifUnchanged: true)
}
