// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Where rules are written: an origin and the segments of a path, however they were written.
///
/// Segments are compared decoded, as bytes: `a%2Fb` is one, `a/b` are two. Queries and a slash at the end don't count.
struct RulePath: Sendable {
    enum Step: Hashable, Sendable {
        /// An origin. One that a link from another origin led to has its own rules: it never gets those of the tree.
        case origin(Origin, isThirdParty: Bool)
        case segment([UInt8])
    }

    let steps: [Step]
    private let address: Place.Address?

    /// The place of a tree's root that has no URL.
    static let nowhere = RulePath()

    private init() {
        steps = []
        address = nil
    }

    init(_ place: Place) {
        if let address = try? place.address.get() { self.init(address) } else { self.init() }
    }

    init(_ address: Place.Address, isThirdParty: Bool = false) {
        self.address = address
        steps =
            [.origin(address.origin, isThirdParty: isThirdParty)]
            + RulePath.segments(address.path).map { .segment(PercentEncoding.decodedBytes($0)) }
    }

    /// How many steps two paths share at their beginning.
    func common(with other: RulePath) -> Int { zip(steps, other.steps).prefix { $0 == $1 }.count }

    /// The place of the first steps, as text.
    func text(of depth: Int) -> String {
        guard let address, depth > 0 else { return "all places" }
        let path = RulePath.segments(address.path).prefix(depth - 1).joined(separator: "/")
        return RequestURL(origin: address.origin, path: "/\(path)", query: nil).description
    }

    /// The last segment of a place; nothing for an origin.
    static func name(of steps: [Step]) -> [UInt8] {
        if case .segment(let name)? = steps.last { name } else { [] }
    }

    /// The segments of an encoded path behind those of another one, and how many steps lead there; `nil` unless it
    /// plainly continues that.
    static func segments(of path: String, behind above: String) -> (segments: [Substring], depth: Int)? {
        let isRoot = above == "/"
        guard path.utf8.starts(with: above.utf8), isRoot || above.utf8.last != UInt8(ascii: "/") else { return nil }
        let rest = path[path.utf8.index(path.startIndex, offsetBy: isRoot ? 0 : above.utf8.count)...]
        guard rest.utf8.first == UInt8(ascii: "/") else { return nil }
        let segments = rest.dropFirst().parts(at: "/")
        if segments.contains(where: \.isEmpty) { return nil }
        return (segments, 1 + (isRoot ? 0 : above.utf8.count { $0 == UInt8(ascii: "/") }))
    }

    /// The segments of an encoded path, without those that slashes at its ends would make.
    private static func segments(_ path: String) -> [Substring] {
        var parts = path.parts(at: "/")
        if parts.first?.isEmpty == true { parts.removeFirst() }
        if parts.last?.isEmpty == true { parts.removeLast() }
        return Array(parts)
    }
}
