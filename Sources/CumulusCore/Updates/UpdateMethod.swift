// SPDX-License-Identifier: Apache-2.0

/// How a changed document is sent: ``Resource/update(as:by:query:headers:_:)``.
public enum UpdateMethod: Sendable, Hashable, CaseIterable {
    /// The whole changed document, with PUT.
    case put
    /// The members that differ, with PATCH, as a JSON Merge Patch (RFC 7396); lists are sent as a whole.
    case mergePatch
    /// The operations from the old document to the new one, with PATCH, as a JSON Patch (RFC 6902).
    case jsonPatch
}
