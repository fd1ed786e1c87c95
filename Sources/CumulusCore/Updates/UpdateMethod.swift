// SPDX-License-Identifier: Apache-2.0

/// How a changed document is sent: ``Resource/update(as:by:query:headers:_:)``.
public enum UpdateMethod: Sendable, Hashable, CaseIterable {
    /// The whole changed value, with PUT: members of the document that its type doesn't have are lost.
    case put
    /// The members that differ, with PATCH, as a JSON Merge Patch (RFC 7396): others are kept. Lists are sent as a whole.
    case mergePatch
}
