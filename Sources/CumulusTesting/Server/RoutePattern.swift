// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A path pattern: literal segments, `:name` or `{name}` for one segment, `*` at the end for the rest.
struct RoutePattern: Sendable, Equatable {
    private let pattern: PathPattern

    init(_ pattern: String) { self.pattern = PathPattern(RoutePattern.split(pattern)) }

    /// The parameters from the path, unescaped; `nil` if it doesn't match.
    func match(_ path: String) -> [String: String]? {
        pattern.match(RoutePattern.split(path).map { PercentCoding.decoded($0) })
    }

    private static func split(_ path: String) -> [Substring] {
        // An empty last segment counts: `/posts/` is not `/posts`.
        let parts = path.parts(at: "/")
        return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : parts
    }
}
