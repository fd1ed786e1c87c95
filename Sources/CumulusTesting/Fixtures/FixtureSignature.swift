// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import HTTPTypes

/// The requests that a fixture responds to: `GET /posts/:id`, a method and a path below the resource that it is set on.
///
/// A segment `:name` or `{name}` matches any single segment, `{name}.json` matches one that ends with `.json`, and `*`
/// at the end matches all remaining segments. The method `*` matches any method. Queries are ignored. A fixture
/// responds only to requests to its own resource's origin, unless the signature has an absolute URL: `GET
/// https://other.example/posts`. An invalid signature fails the requests that it is compared with.
public struct FixtureSignature: Sendable, Hashable {
    /// The method; `*` for any.
    let method: String
    private(set) var origin: Origin?
    /// The pattern, whose parameters have no names: these don't distinguish two signatures.
    private(set) var path: PathPattern
    /// The same with their names, to be shown.
    private var written: PathPattern
    /// Whether the start of the path is known.
    private(set) var isBound: Bool
    private let text: String
    let problem: FixtureProblem?

    /// Creates a signature that matches the resource that the fixture is set on.
    public init(_ method: HTTPRequest.Method) {
        self.init(method.rawValue, origin: nil, PathPattern(""), text: "\(method.rawValue) /")
    }

    private init(_ method: String, origin: Origin?, _ path: PathPattern, text: String) {
        self.method = method
        self.origin = origin
        self.path = PathPattern(Self.segments(of: path).map(Self.unnamed).joined(separator: "/"))
        written = path
        self.text = text
        isBound = origin != nil
        problem = nil
    }

    /// Creates a signature from `METHOD /path` or `METHOD URL`.
    ///
    /// - Throws: ``FixtureProblem``.
    public init(parsing text: String) throws(FixtureProblem) {
        self.init(stringLiteral: text)
        if let problem { throw problem }
    }

    private init(text: String, problem: FixtureProblem) {
        (method, origin, path, written, isBound) = ("", nil, PathPattern(""), PathPattern(""), false)
        self.text = text
        self.problem = problem
    }

    private init(method: String, origin: Origin?, path: Substring, text: String) throws(FixtureProblem) {
        if path.parts(at: "/").contains(where: { $0.has("*") && $0.utf8.count > 1 }) {
            throw FixtureProblem(
                "the signature \(PeerText.quoted(text)) contains a * within a segment; write %2A for a literal one"
            )
        }
        self.init(method, origin: origin, PathPattern(String(path)), text: text)
        if Self.segments(of: self.path).dropLast().contains(where: Self.isRest) {
            throw FixtureProblem("the signature \(PeerText.quoted(text)) contains a * before its end")
        }
    }

    /// Creates a signature that matches a method and a pattern below a URL, or below the resource that the fixture is set
    /// on.
    public init(_ method: HTTPRequest.Method, _ path: PathPattern, below base: RequestURL? = nil) {
        let open = FixtureSignature(method.rawValue, origin: nil, path, text: "\(method.rawValue) /\(path)")
        self = base.map { open.bound(to: $0.origin, $0.path) } ?? open
    }

    /// The segments of a pattern, with escapes: `:name`, `{name}.json` and `*` are no literals.
    private static func segments(of path: PathPattern) -> [String] {
        path.description.parts(at: "/", omitsEmpty: true).map(String.init)
    }

    /// Whether a segment is the wildcard for all remaining ones: in a literal it would be escaped.
    private static func isRest(_ segment: String) -> Bool { segment.utf8.first == UInt8(ascii: "*") }

    /// A segment without the names of its parameters.
    private static func unnamed(_ segment: String) -> String {
        if segment.begins(with: ":") { return ":" }
        var text = ""
        var isName = false
        for character in segment.unicodeScalars {
            if character == "}" { isName = false }
            if !isName { text.unicodeScalars.append(character) }
            if character == "{" { isName = true }
        }
        return text
    }

    /// The part of a URL after its authority.
    private static func path(ofURL text: Substring) -> Substring {
        guard let authority = text.place(of: "://")?.upperBound else { return text }
        return text[authority...].cut(at: "/")?.behind ?? ""
    }

    /// The signature at a place: a path without an origin starts there.
    func bound(to layer: LayerContext) -> FixtureSignature {
        guard !isBound, let origin = layer.origin, let path = layer.path else { return self }
        return bound(to: origin, path)
    }

    private func bound(to origin: Origin, _ base: String) -> FixtureSignature {
        // Of the base nothing is a parameter, whatever it contains.
        let literal = base.parts(at: "/", omitsEmpty: true).map { PercentEncoding.encode(PercentEncoding.decode($0)) }
        var bound = self
        bound.origin = origin
        bound.path = PathPattern((literal + Self.segments(of: path)).joined(separator: "/"))
        bound.written = PathPattern((literal + Self.segments(of: written)).joined(separator: "/"))
        bound.isBound = true
        return bound
    }

    /// Whether it matches only one path.
    var isLiteral: Bool {
        method != "*" && !Self.segments(of: path).contains { Self.isRest($0) || $0.has(anyOf: ":", "{") }
    }

    func matches(_ method: String, _ origin: Origin, _ path: String) -> Bool {
        guard isBound, self.method == method || self.method == "*", self.origin == origin else { return false }
        return self.path.match(path) != nil
    }

    /// The path of a request's target, without empty segments.
    static func path(of target: String) -> String {
        target.before("?").parts(at: "/", omitsEmpty: true).joined(separator: "/")
    }

    /// Whether two signatures match the same requests.
    public static func == (left: FixtureSignature, right: FixtureSignature) -> Bool {
        left.method == right.method && left.origin == right.origin && left.path == right.path
            && left.isBound == right.isBound && left.problem == right.problem
    }

    /// Hashes the method and the path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
    }
}

extension FixtureSignature: ExpressibleByStringLiteral {
    /// Creates a signature from `METHOD /path` or `METHOD URL`; a request that is compared with an invalid
    /// signature fails.
    public init(stringLiteral text: String) {
        do throws(FixtureProblem) {
            let parts = text.parts(at: " ", omitsEmpty: true)
            guard parts.count == 2, let method = parts.first, let place = parts.last else {
                throw FixtureProblem("the signature \(PeerText.quoted(text)) is not METHOD /path")
            }
            guard method == "*" || HTTPRequest.Method(String(method)) != nil else {
                throw FixtureProblem("the signature \(PeerText.quoted(text)) has no method")
            }
            if place.has("?") {
                throw FixtureProblem(
                    "the signature \(PeerText.quoted(text)) has a query: remove it, since queries are ignored"
                )
            }
            if place.begins(with: "/") {
                try self.init(method: String(method), origin: nil, path: place, text: text)
            } else if let url = try? RequestURL(String(place)) {
                // Parsing as a URL would escape a pattern's braces.
                let path = place.has("{") ? FixtureSignature.path(ofURL: place) : url.path[...]
                try self.init(method: String(method), origin: url.origin, path: path, text: text)
            } else {
                throw FixtureProblem("the signature \(PeerText.quoted(text)) has neither a path nor a URL")
            }
        } catch {
            self.init(text: text, problem: error)
        }
    }
}

extension FixtureSignature: CustomStringConvertible {
    /// The method and the URL, `GET https://api.example.com/posts/:id`, or the text as written if the start of the path
    /// is unknown.
    public var description: String {
        guard let origin, isBound else { return text }
        return "\(method) \(origin)/\(written)"
    }
}
