// SPDX-License-Identifier: Apache-2.0

extension EncodedRequest {
    /// The resource that the call was made on, for hooks that read its settings; `nil` for a request made by hand.
    ///
    /// After a redirect or a link it is still the resource that the call began on.
    public var resource: Resource? { node.map(Resource.init) }
}
