// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes

@testable import CumulusCache

/// Responses and requests as the tests of the rules write them.
enum Stored {
    /// When all of them arrive: Sun, 06 Nov 1994 08:49:37 GMT.
    static let arrival = Date(timeIntervalSince1970: 784_111_777)

    /// A date in the format of fields, some seconds after ``arrival``.
    static func date(_ seconds: Int) -> String { HTTPDate(arrival.addingTimeInterval(Double(seconds))).description }

    /// Fields of pairs, several of a name too.
    static func fields(_ pairs: [(String, String)]) -> HTTPFields {
        HTTPFields(pairs.compactMap { pair in HTTPField.Name(pair.0).map { HTTPField(name: $0, value: pair.1) } })
    }

    /// A response that has just arrived.
    static func response(
        _ status: HTTPResponse.Status = .ok,
        _ pairs: [(String, String)],
        request: [(String, String)] = [],
        delay: Int64 = 0
    ) -> CachedResponse {
        CachedResponse(
            status: status,
            received: fields(pairs),
            request: fields(request),
            responseTime: arrival,
            delay: delay
        )
    }

    /// What a request's `Cache-Control` says.
    static func request(_ cacheControl: String?) -> CacheDirectives {
        CacheDirectives(request: fields(cacheControl.map { [("Cache-Control", $0)] } ?? []))
    }
}
