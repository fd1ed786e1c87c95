// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Which requests a fixture answers: `GET /posts/:id`, a method and a path below the resource that it is set on.
///
/// A segment `:name` stands for any one segment, `*` at the end for all that is left; the method `*` is any. Queries are
/// not looked at. A whole URL, `GET https://other.example/posts`, names requests for another origin; without one a
/// fixture answers its own resource's origin only. A signature that can't be read fails the requests that meet it.
public struct FixtureSignature: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case any
        case rest
    }

    /// The method; `*` for any.
    let method: String
    private(set) var origin: Origin?
    private(set) var segments: [Segment]
    /// Whether it is known where the path begins.
    private(set) var isBound: Bool
    private let text: String
    let problem: FixtureProblem?

    /// Names the resource itself that the fixture is set on.
    public init(_ method: HTTPRequest.Method) {
        self.method = method.rawValue
        (origin, segments, isBound, problem) = (nil, [], false, nil)
        text = "\(method.rawValue) /"
    }

    /// Reads `METHOD /path` or `METHOD URL`.
    ///
    /// - Throws: ``FixtureProblem``.
    public init(parsing text: String) throws(FixtureProblem) {
        self.init(stringLiteral: text)
        if let problem { throw problem }
    }

    private init(text: String, problem: FixtureProblem) {
        (method, origin, segments, isBound) = ("", nil, [], false)
        self.text = text
        self.problem = problem
    }

    private init(method: String, origin: Origin?, path: Substring, text: String) throws(FixtureProblem) {
        self.method = method
        self.origin = origin
        self.text = text
        isBound = origin != nil
        segments = FixtureSignature.split(path).map { part in
            part == "*" ? .rest : part.begins(with: ":") ? .any : .literal(PercentEncoding.decode(part))
        }
        if let rest = segments.firstIndex(of: .rest), rest < segments.count - 1 {
            throw FixtureProblem("the signature \(RequestURL.quote(text)) has a * before its end")
        }
        problem = nil
    }

    private static func split(_ path: Substring) -> [String] {
        path.parts(at: "/", omitsEmpty: true).map { String($0) }
    }

    /// Itself at a place: a path without an origin begins there.
    func bound(to layer: LayerContext) -> FixtureSignature {
        guard !isBound, let origin = layer.origin, let path = layer.path else { return self }
        var bound = self
        bound.origin = origin
        bound.segments = FixtureSignature.split(path[...]).map { .literal(PercentEncoding.decode($0)) } + segments
        bound.isBound = true
        return bound
    }

    /// Whether nothing but this very path is meant.
    var isLiteral: Bool { !segments.contains { $0 == .any || $0 == .rest } && method != "*" }

    func matches(_ method: String, _ origin: Origin, _ path: [String]) -> Bool {
        guard isBound, self.method == method || self.method == "*", self.origin == origin else { return false }
        for (index, segment) in segments.enumerated() {
            if segment == .rest { return true }
            guard index < path.count else { return false }
            if case .literal(let text) = segment, text != path[index] { return false }
        }
        return path.count == segments.count
    }

    /// The decoded segments of a request's target.
    static func path(of target: String) -> [String] {
        let bytes = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return split(Substring(bytes)).map { PercentEncoding.decode($0) }
    }

    /// Whether they name the same requests.
    public static func == (left: FixtureSignature, right: FixtureSignature) -> Bool {
        left.method == right.method && left.origin == right.origin && left.segments == right.segments
            && left.isBound == right.isBound && left.problem == right.problem
    }

    /// Hashes method and path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(segments)
    }
}

extension FixtureSignature: ExpressibleByStringLiteral {
    /// Reads `METHOD /path` or `METHOD URL`; one that is neither fails the requests that meet it.
    public init(stringLiteral text: String) {
        do throws(FixtureProblem) {
            let parts = text.parts(at: " ", omitsEmpty: true)
            guard parts.count == 2, let method = parts.first, let place = parts.last else {
                throw FixtureProblem("the signature \(RequestURL.quote(text)) is not METHOD /path")
            }
            guard method == "*" || HTTPRequest.Method(String(method)) != nil else {
                throw FixtureProblem("the signature \(RequestURL.quote(text)) names no method")
            }
            if place.has("?") {
                throw FixtureProblem("the signature \(RequestURL.quote(text)) has a query, which is not looked at")
            }
            if place.begins(with: "/") {
                try self.init(method: String(method), origin: nil, path: place, text: text)
            } else if let url = try? RequestURL(String(place)) {
                try self.init(method: String(method), origin: url.origin, path: url.path[...], text: text)
            } else {
                throw FixtureProblem("the signature \(RequestURL.quote(text)) has neither a path nor a URL")
            }
        } catch {
            self.init(text: text, problem: error)
        }
    }
}

extension FixtureSignature: CustomStringConvertible {
    /// `GET https://api.example.com/posts/:`, or as it was written where it is not known whose path it is.
    public var description: String {
        guard let origin, isBound else { return text }
        let path = segments.map { segment in
            switch segment {
            case .literal(let text): PercentEncoding.encode(text)
            case .any: ":"
            case .rest: "*"
            }
        }
        return "\(method) \(origin)/\(path.joined(separator: "/"))"
    }
}
