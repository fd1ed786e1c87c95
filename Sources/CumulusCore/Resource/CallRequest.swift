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
