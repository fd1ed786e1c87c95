// SPDX-License-Identifier: Apache-2.0

extension Response {
    /// The server's quota in the response; `nil` if there is none.
    ///
    /// It is parsed from the header fields on each access. ``Resource/quota`` has the latest.
    public var quota: RequestQuota? { RequestQuota(headers, status: status, at: receivedAt) }
}

extension ResponseStream {
    /// The server's quota in the response; `nil` if there is none.
    public var quota: RequestQuota? { RequestQuota(headers, status: status) }
}
