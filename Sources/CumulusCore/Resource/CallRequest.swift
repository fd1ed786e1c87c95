// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What a call sends, apart from the settings of its resource.
struct CallRequest: Sendable {
    var resource: Resource
    var method: HTTPRequest.Method
    var payload: Payload
    var query: Query
    var headers: Headers
    var key: CallKey?
}

extension EncodedRequest {
    /// The resource that the call was made on, for hooks that read its settings; `nil` for a request made without a
    /// call.
    ///
    /// It stays the same after a redirect or a link.
    public var resource: Resource? { node.map(Resource.init) }
}
