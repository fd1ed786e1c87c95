// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The stored responses that a request invalidates by changing a resource (RFC 9111 section 4.4).
enum Invalidation {
    /// Whether a request with this method changes nothing (RFC 9110 section 9.2.1, and QUERY).
    static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        switch method {
        case .get, .head, .options, .trace: true
        default: method.isQuery
        }
    }

    /// The URLs that the response to an unsafe request invalidates: the request's own, and those of the same origin
    /// that it contains; empty if the request failed.
    static func urls(of request: EncodedRequest, _ head: ResponseHead) -> [CacheKey] {
        guard head.status.kind == .successful || head.status.kind == .redirection else { return [] }
        var keys = [CacheKey(request)]
        let base = request.url
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let text = head.headers[name], let url = try? base.resolving(text), url.origin == request.origin
            else {
                continue
            }
            let key = CacheKey(origin: url.origin, target: url.target)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// The URL of stored responses, without the user's fragment.
struct CacheKey: Sendable, Hashable {
    let origin: Origin
    let target: String

    init(origin: Origin, target: String) {
        self.origin = origin
        self.target = target
    }

    init(_ request: EncodedRequest) { self.init(origin: request.origin, target: request.target) }
}
