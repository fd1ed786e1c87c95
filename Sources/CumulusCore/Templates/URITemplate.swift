// SPDX-License-Identifier: Apache-2.0

/// A URI template (RFC 6570, level 4), parsed: `users/{login}/repos{?type,page}`.
///
///     let template = try URITemplate(parsing: "users/{login}/repos{?type,page}")
///     try template.expand(["login": "weipin", "page": 2])      // users/weipin/repos?page=2
///
/// Values are what a query takes: texts, numbers, lists, maps; one that is `nil`, missing, or without elements is left
/// out. A literal in source code and ``init(lenient:)`` read whatever can be read and keep what is wrong in ``problems``;
/// ``init(parsing:)`` refuses it. To make a request of an expansion use ``Resource/child(template:_:)``, which keeps values in
/// their place.
public struct URITemplate: Sendable {
    enum Part: Sendable, Hashable {
        /// What stands outside braces, escaped as it is sent.
        case literal(String)
        case expression(TemplateExpression)
    }

    /// The longest template, in bytes.
    public static let maximumLength = 65_536
    /// The longest expansion, in bytes.
    public static let maximumExpansion = 1_048_576

    /// The template as it was written.
    public let text: String
    let parts: [Part]
    /// What is wrong with it, in the order in which it stands there; empty for one that was read strictly.
    public let problems: [Problem]

    /// Reads a template.
    ///
    /// - Throws: The first ``Problem``, with its place.
    public init(parsing text: String) throws(Problem) {
        self.init(lenient: text)
        if let problem = problems.first { throw problem }
    }

    /// Reads a template as far as it can be read; what can't is kept in ``problems`` and stands in expansions as it is.
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

    /// The names of its variables, each once, in the order in which they come.
    public var variables: [String] {
        var seen: Set<String> = []
        return expressions.flatMap(\.variables).map(\.name).filter { seen.insert($0).inserted }
    }

    /// The variables without which the path would name another place: those of `{name}` and `{+name}` before any query.
    var pathVariables: [String] {
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
    /// Reads a literal of the program's, as ``init(lenient:)`` does.
    public init(stringLiteral text: String) { self.init(lenient: text) }
}

extension URITemplate: CustomStringConvertible {
    /// The template as it was written.
    public var description: String { text }
}

extension URITemplate: Hashable, Codable {
    /// Whether both are written alike.
    public static func == (left: URITemplate, right: URITemplate) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Reads a text strictly.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(lenient: try container.decode(String.self))
        guard let problem = problems.first else { return }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: problem.description)
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
