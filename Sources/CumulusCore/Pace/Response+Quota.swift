// SPDX-License-Identifier: Apache-2.0

extension Response {
    /// What the response says of the server's quota; `nil` if it says nothing.
    ///
    /// Read from the header fields when asked for. ``Resource/quota`` has what was said last.
    public var quota: RequestQuota? { RequestQuota(headers, status: status, at: receivedAt) }
}

extension ResponseStream {
    /// What the response says of the server's quota; `nil` if it says nothing.
    public var quota: RequestQuota? { RequestQuota(headers, status: status) }
}
