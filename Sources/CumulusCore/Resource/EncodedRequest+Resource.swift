// SPDX-License-Identifier: Apache-2.0

extension EncodedRequest {
    /// The resource that the call was made on, for hooks that look at its settings; `nil` for a request made by hand.
    ///
    /// After a redirect or a link it still is where the call began.
    public var resource: Resource? { owner as? Resource }
}
