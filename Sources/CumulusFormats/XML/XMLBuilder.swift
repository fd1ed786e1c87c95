// SPDX-License-Identifier: Apache-2.0

/// Builds the content of an element: elements, text, and the results of `if` and `for`.
///
/// ```swift
/// let order = XML("order", attributes: ["id": "7"]) {
///     XML("note") { "as soon as possible" }
///     for line in lines { XML("line", text: line) }
/// }
/// ```
@resultBuilder
public enum XMLBuilder {
    /// Returns the element as a node.
    public static func buildExpression(_ element: XML) -> [XML.Node] { [.element(element)] }

    /// Returns the elements as nodes.
    public static func buildExpression(_ elements: [XML]) -> [XML.Node] { elements.map(XML.Node.element) }

    /// Returns the text as a node unless it is empty; `<`, `&` and similar characters are escaped when the text is
    /// written.
    public static func buildExpression(_ text: String) -> [XML.Node] { text.isEmpty ? [] : [.text(text)] }

    /// Returns nodes that were created elsewhere.
    public static func buildExpression(_ nodes: [XML.Node]) -> [XML.Node] { nodes }

    /// Returns all nodes, in order.
    public static func buildBlock(_ parts: [XML.Node]...) -> [XML.Node] { parts.flatMap(\.self) }

    /// Returns the nodes of a loop.
    public static func buildArray(_ parts: [[XML.Node]]) -> [XML.Node] { parts.flatMap(\.self) }

    /// Returns the nodes of an `if`.
    public static func buildOptional(_ part: [XML.Node]?) -> [XML.Node] { part ?? [] }

    /// Returns the nodes of an `if`.
    public static func buildEither(first part: [XML.Node]) -> [XML.Node] { part }

    /// Returns the nodes of an `else`.
    public static func buildEither(second part: [XML.Node]) -> [XML.Node] { part }

    /// Returns the nodes of an availability check.
    public static func buildLimitedAvailability(_ part: [XML.Node]) -> [XML.Node] { part }
}

extension XML {
    /// Creates an element with content from a builder.
    ///
    /// - Parameters:
    ///   - name: The element's name, with its prefix; an invalid name causes an error when the element is written.
    ///   - attributes: The names with values, in order.
    ///   - content: The element's content.
    public init(
        _ name: String,
        attributes: KeyValuePairs<String, String> = [:],
        @XMLBuilder content: () throws -> [Node]
    ) rethrows { self.init(name, attributes: attributes, children: try content()) }
}
