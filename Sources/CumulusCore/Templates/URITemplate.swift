// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A URI template (RFC 6570, level 4), parsed: `users/{login}/repos{?type,page}`.
///
///     let template = try URITemplate(parsing: "users/{login}/repos{?type,page}")
///     print(try template.expand(["login": "weipin", "page": 2]))  // users/weipin/repos?page=2
///
/// Values are the same as in a query: strings, numbers, lists and maps. A value that is `nil`, missing, or empty is
/// omitted. A literal in source code and ``init(lenient:)`` accept invalid templates, and list the problems in
/// ``problems``; ``init(parsing:)`` refuses them. To create a request from an expansion, use
/// ``Resource/child(template:_:)``, which prevents values from changing other parts of the URL.
public struct URITemplate: Sendable {
    enum Part: Sendable, Hashable {
        /// Text outside braces, escaped as it is sent.
        case literal(String)
        case expression(TemplateExpression)
    }

    /// The maximum length of a template, in bytes.
    public static let maximumLength = 65_536
    /// The maximum length of an expansion, in bytes.
    public static let maximumExpansion = 1_048_576

    /// The template as it was written.
    public let text: String
    let parts: [Part]
    /// The problems, in order of their position; empty for a template that was parsed strictly.
    public let problems: [Problem]

    /// Creates a template from its text, strictly.
    ///
    /// - Throws: The first ``Problem``, with its position.
    public init(parsing text: String) throws(Problem) {
        self.init(lenient: text)
        if let problem = problems.first { throw problem }
    }

    /// Creates a template from its text, leniently; invalid parts are listed in ``problems`` and appear unchanged in
    /// expansions.
    public init(lenient text: String) {
        self.text = text
        guard text.utf8.count <= URITemplate.maximumLength else {
            parts = []
            problems = [Problem(.tooLong, at: URITemplate.maximumLength, in: "")]
            return
        }
        var parser = URITemplateParser(text)
        parser.parse()
        (parts, problems) = (parser.parts, parser.problems)
    }

    /// The names of the template's variables, in order and without repetition.
    public var variables: [String] {
        var seen: Set<String> = []
        return expressions.flatMap(\.variables).map(\.name).filter { seen.insert($0).inserted }
    }

    /// The variables without which the path would lead elsewhere: those of `{name}` and `{+name}` before any query.
    public var pathVariables: [String] {
        var names: [String] = []
        for part in parts {
            switch part {
            case .literal(let text): if text.has("?") { return names }
            case .expression(let expression):
                if expression.kind == .query || expression.kind == .continuation { return names }
                if expression.kind == .simple || expression.kind == .reserved {
                    names += expression.variables.map(\.name).filter { !names.contains($0) }
                }
            }
        }
        return names
    }

    var expressions: some Sequence<TemplateExpression> {
        parts.lazy.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }
}

extension URITemplate: ExpressibleByStringLiteral {
    /// Creates a template from a literal, like ``init(lenient:)``.
    public init(stringLiteral text: String) { self.init(lenient: text) }
}

extension URITemplate: CustomStringConvertible {
    /// The template as it was written.
    public var description: String { text }
}

extension URITemplate: Hashable, Codable {
    /// Whether two templates have the same text.
    public static func == (left: URITemplate, right: URITemplate) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Decodes a template from a string, strictly.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(lenient: try container.decode(String.self))
        guard let problem = problems.first else { return }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: problem.description)
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension URITemplate {
    /// Whether the template is an absolute URL.
    public var isAbsolute: Bool {
        let start = text.before("/", "{", "?").lowercased()
        return start == "http:" || start == "https:"
    }

    /// Returns the origin of an absolute URL, and the remaining template.
    ///
    /// - Returns: The two parts; `nil` if the origin isn't literal, in which case a value could change it.
    public func dividedAtOrigin() -> (origin: String, path: URITemplate)? {
        guard isAbsolute, let start = text.place(of: "://")?.upperBound else { return nil }
        let authority = text[start...].before("/", "?", "#", "{")
        let rest = text[authority.endIndex...]
        let isWhole = !rest.begins(with: "{") || rest.begins(with: "{/") || rest.begins(with: "{?")
        guard !authority.isEmpty, isWhole else { return nil }
        return (String(text[..<authority.endIndex]), URITemplate(lenient: String(rest)))
    }
}
