// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A path pattern: literal segments, `:name` for one segment, `*` at the end for all that is left.
struct RoutePattern: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
        case rest
    }

    let segments: [Segment]

    init(_ pattern: String) {
        segments = Self.split(pattern).map { segment in
            if segment == "*" { return .rest }
            guard segment.begins(with: ":") else { return .literal(String(segment)) }
            return .parameter(String(decoding: segment.utf8.dropFirst(), as: UTF8.self))
        }
    }

    /// The parameters that the path gives, unescaped, or nil when it does not match.
    func match(_ path: String) -> [String: String]? {
        let parts = Self.split(path)
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment == .rest {
                parameters["*"] = PercentCoding.decoded(parts.dropFirst(index).joined(separator: "/"))
                return parameters
            }
            guard index < parts.count else { return nil }
            let part = PercentCoding.decoded(parts[index])
            switch segment {
            case .literal(let text): if text != part { return nil }
            case .parameter(let name): parameters[name] = part
            case .rest: break
            }
        }
        return parts.count == segments.count ? parameters : nil
    }

    private static func split(_ path: String) -> [Substring] {
        // An empty last segment counts: `/posts/` is not `/posts`.
        let parts = path.parts(at: "/")
        return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : parts
    }
}
