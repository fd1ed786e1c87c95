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
    /// For GET and HEAD: send the body only if it has changed after this.
    public var ifModifiedSince: Date?
    /// For methods that change something: only if the entity tag is this one.
    ///
    /// Missing quotes are added.
    public var ifMatch: String?
    /// For methods that change something: only if it has not changed after this.
    public var ifUnmodifiedSince: Date?
    /// For PUT, PATCH and DELETE: only if nobody has changed the document since this tree last fetched it.
    ///
    /// Needs ``Settings/tracksRevisions``. The request fails with ``CumulusError/Code/invalidRequest``, and nothing is
    /// sent, if no revision is known that a server could compare.
    public var ifUnchanged: Bool

    /// Names conditions.
    public init(
        ifNoneMatch: String? = nil,
        ifModifiedSince: Date? = nil,
        ifMatch: String? = nil,
        ifUnmodifiedSince: Date? = nil,
        ifUnchanged: Bool = false
    ) {
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.ifMatch = ifMatch
        self.ifUnmodifiedSince = ifUnmodifiedSince
        self.ifUnchanged = ifUnchanged
    }

    /// None.
    public static let none = Conditions()
    /// Writes only what nobody else has changed.
    public static let ifUnchanged = Conditions(ifUnchanged: true)
}
