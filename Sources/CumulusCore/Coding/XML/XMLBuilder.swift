// SPDX-License-Identifier: Apache-2.0

/// What stands in an element, written as a list: elements, texts, and what `if` and `for` make of them.
///
/// ```swift
/// let order = XML("order", attributes: ["id": "7"]) {
///     XML("note") { "as soon as possible" }
///     for line in lines { XML("line", text: line) }
/// }
/// ```
@resultBuilder
public enum XMLBuilder {
    /// An element.
    public static func buildExpression(_ element: XML) -> [XML.Node] { [.element(element)] }

    /// Several elements.
    public static func buildExpression(_ elements: [XML]) -> [XML.Node] { elements.map(XML.Node.element) }

    /// A text; `<`, `&` and the like are escaped when it is written.
    public static func buildExpression(_ text: String) -> [XML.Node] { text.isEmpty ? [] : [.text(text)] }

    /// What was made before.
    public static func buildExpression(_ nodes: [XML.Node]) -> [XML.Node] { nodes }

    /// All, in order.
    public static func buildBlock(_ parts: [XML.Node]...) -> [XML.Node] { parts.flatMap(\.self) }

    /// What a loop makes.
    public static func buildArray(_ parts: [[XML.Node]]) -> [XML.Node] { parts.flatMap(\.self) }

    /// What an `if` makes.
    public static func buildOptional(_ part: [XML.Node]?) -> [XML.Node] { part ?? [] }

    /// What an `if` makes.
    public static func buildEither(first part: [XML.Node]) -> [XML.Node] { part }

    /// What an `else` makes.
    public static func buildEither(second part: [XML.Node]) -> [XML.Node] { part }

    /// What an availability check makes.
    public static func buildLimitedAvailability(_ part: [XML.Node]) -> [XML.Node] { part }
}

extension XML {
    /// Makes an element of a list of what is in it.
    ///
    /// - Parameters:
    ///   - name: Its name, with its prefix; one that can't be written fails when it is.
    ///   - attributes: Names with values, in order.
    ///   - content: What is in it.
    public init(
        _ name: String,
        attributes: KeyValuePairs<String, String> = [:],
        @XMLBuilder content: () throws -> [Node]
    ) rethrows { self.init(name, attributes: attributes, children: try content()) }
}
