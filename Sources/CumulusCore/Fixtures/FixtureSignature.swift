// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Which requests a fixture answers: `GET /posts/:id`, a method and a path below the resource that it is set on.
///
/// A segment `:name` or `{name}` stands for any one segment, `{name}.json` for some, `*` at the end for all that is left;
/// the method `*` is any. Queries are not looked at. A whole URL, `GET https://other.example/posts`, names requests for
/// another origin; without one a fixture answers its own resource's origin only. A signature that can't be read fails the
/// requests that meet it.
public struct FixtureSignature: Sendable, Hashable {
    /// The method; `*` for any.
    let method: String
    private(set) var origin: Origin?
    private(set) var path: PathPattern
    /// Whether it is known where the path begins.
    private(set) var isBound: Bool
    private let text: String
    let problem: FixtureProblem?

    /// Names the resource itself that the fixture is set on.
    public init(_ method: HTTPRequest.Method) {
        self.method = method.rawValue
        (origin, path, isBound, problem) = (nil, PathPattern([]), false, nil)
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
        (method, origin, path, isBound) = ("", nil, PathPattern([]), false)
        self.text = text
        self.problem = problem
    }

    private init(method: String, origin: Origin?, path: Substring, text: String) throws(FixtureProblem) {
        self.method = method
        self.origin = origin
        self.text = text
        isBound = origin != nil
        self.path = PathPattern(path.parts(at: "/", omitsEmpty: true)).anonymous
        if self.path.hasEarlyRest {
            throw FixtureProblem("the signature \(RequestURL.quote(text)) has a * before its end")
        }
        problem = nil
    }

    /// Names requests by a method and a pattern below the resource that the fixture is set on.
    init(_ method: HTTPRequest.Method, below path: PathPattern) {
        self.method = method.rawValue
        self.path = path.anonymous
        (origin, isBound, problem) = (nil, false, nil)
        text = "\(method.rawValue) /\(path)"
    }

    /// What stands behind a URL's authority.
    private static func path(ofURL text: Substring) -> Substring {
        guard let authority = text.place(of: "://")?.upperBound else { return text }
        return text[authority...].cut(at: "/")?.behind ?? ""
    }

    /// Itself at a place: a path without an origin begins there.
    func bound(to layer: LayerContext) -> FixtureSignature {
        guard !isBound, let origin = layer.origin, let path = layer.path else { return self }
        var bound = self
        bound.origin = origin
        bound.path = PathPattern(literal: path.parts(at: "/", omitsEmpty: true)).appending(self.path)
        bound.isBound = true
        return bound
    }

    /// Whether only this very path is meant.
    var isLiteral: Bool { path.isLiteral && method != "*" }

    func matches(_ method: String, _ origin: Origin, _ path: [String]) -> Bool {
        guard isBound, self.method == method || self.method == "*", self.origin == origin else { return false }
        return self.path.match(path) != nil
    }

    /// The decoded segments of a request's target.
    static func path(of target: String) -> [String] {
        let bytes = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return Substring(bytes).parts(at: "/", omitsEmpty: true).map { PercentEncoding.decode($0) }
    }

    /// Whether they name the same requests.
    public static func == (left: FixtureSignature, right: FixtureSignature) -> Bool {
        left.method == right.method && left.origin == right.origin && left.path == right.path
            && left.isBound == right.isBound && left.problem == right.problem
    }

    /// Hashes method and path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
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
                throw FixtureProblem("the signature \(RequestURL.quote(text)) has no method")
            }
            if place.has("?") {
                throw FixtureProblem("the signature \(RequestURL.quote(text)) has a query, which is ignored")
            }
            if place.begins(with: "/") {
                try self.init(method: String(method), origin: nil, path: place, text: text)
            } else if let url = try? RequestURL(String(place)) {
                // A URL has no braces: those of a pattern would be escaped.
                let path = place.has("{") ? FixtureSignature.path(ofURL: place) : url.path[...]
                try self.init(method: String(method), origin: url.origin, path: path, text: text)
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
        return "\(method) \(origin)/\(path)"
    }
}
