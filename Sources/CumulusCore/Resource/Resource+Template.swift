// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Returns a child by a URI template (RFC 6570): `site.child(template: "users/{login}/repos{?page}", ["login":
    /// name, "page": 2])`.
    ///
    /// The template's own text is the path and query; values are data. `{name}` is one segment or a part of one, no
    /// matter what the value contains. `{/name*}` makes a segment of each element, and `{+name}` keeps a value's
    /// slashes. No value can lead to a different origin or to a parent, or begin a query that the template doesn't
    /// begin: a dot segment, a scheme, a backslash, `#`, and `?` in the path of `{+name}` are refused. An empty segment
    /// of the path, such as that of `users/{id}` without an ID, is also refused. A refused expansion creates a resource
    /// whose requests throw ``CumulusError/Code/invalidPath``. The query belongs to the child, merged over the
    /// inherited one.
    ///
    /// - Parameters:
    ///   - template: A template of a path, with or without a query.
    ///   - values: The values of its variables, as for ``URITemplate/expand(_:)``.
    /// - Returns: The child.
    public func child(template: URITemplate, _ values: URITemplate.Values = [:]) -> Resource {
        Resource(node.child(template.path(values), from: template))
    }
}

extension URITemplate {
    /// Returns the reason why ``Resource/child(template:_:)`` refuses the template with these values; `nil` if it
    /// doesn't.
    ///
    /// A fragment is always refused, since it would never be sent.
    public func refusal(with values: Values) -> String? {
        if expressions.contains(where: { $0.kind == .fragment }) { return "a fragment is never sent" }
        if case .failure(let refusal) = path(values) { return refusal.description }
        return nil
    }

    /// The template's expansion, as a child's path.
    func path(_ values: Values) -> Result<ChildPath, PathRefusal> {
        var parser = ChildPathParser()
        do throws(Problem) {
            for (part, text) in try expandedParts(values) {
                switch part {
                case .literal: parser.appendLiteral(text)
                case .expression(let expression): parser.append(expression.kind, expanded: text)
                }
            }
        } catch {
            return .failure(PathRefusal(error.description))
        }
        return parser.finish()
    }
}
