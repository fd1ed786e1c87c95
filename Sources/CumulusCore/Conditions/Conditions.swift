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
    /// The entity tag of your copy: GET and HEAD return the body only if the current tag differs.
    ///
    ///  With `*`, other methods are carried out only if the resource doesn't exist yet.
    ///
    /// Missing quotes are added.
    public var ifNoneMatch: String?
    /// The date of your copy: GET and HEAD return the body only if it was modified later.
    public var ifModifiedSince: Date?
    /// The entity tag that the resource must have for a method that changes it.
    ///
    /// Missing quotes are added.
    public var ifMatch: String?
    /// The date after which the resource must not have been modified, for a method that changes it.
    public var ifUnmodifiedSince: Date?
    /// Whether PUT, PATCH and DELETE are carried out only if the document is unchanged since this tree last fetched it.
    ///
    /// It requires ``Resource/Settings/tracksRevisions``. Without a known revision that a server could compare, the
    /// request fails with ``CumulusError/Code/invalidRequest``, and nothing is sent.
    ///
    /// With it, GET and HEAD request a body without compression, since servers send a different tag, or a weak one, for
    /// a compressed body.
    public var ifUnchanged: Bool
    /// Whether `ifUnchanged` and ``Resource/update(as:by:query:headers:_:)`` also send a weak tag in `If-Match`.
    ///
    /// Servers must not accept a weak tag there (RFC 9110 section 13.1.1), but some services, such as OData services,
    /// have only weak tags, and compare them. A tag in ``ifMatch`` is always sent as it is.
    public var sendsWeakTags: Bool

    /// Creates conditions.
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
    /// Conditions that allow a write only if the document is unchanged.
    public static let ifUnchanged = Conditions(ifUnchanged: true)
}
