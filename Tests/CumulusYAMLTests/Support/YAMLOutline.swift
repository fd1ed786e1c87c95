// SPDX-License-Identifier: Apache-2.0

@testable import CumulusYAML

/// A text's events in one line, in brackets and braces: scalars with quotes or of a block have quotes, plain ones have
/// none, an empty one is `empty`, a tag is in angle brackets, and `---` is between documents.
struct YAMLOutline {
    private var text = ""
    /// For each open collection: whether it is a map, and how many nodes it has.
    private var levels: [(isMap: Bool, count: Int)] = []

    static func of(_ yaml: String) throws(YAMLProblem) -> String {
        var outline = YAMLOutline()
        var reader = YAMLEventReader(yaml)
        while true {
            let event = try reader.next()
            if case .streamEnd = event { return outline.text }
            outline.add(event)
        }
    }

    private mutating func add(_ event: YAMLEvent) {
        switch event {
        case .boundary, .streamEnd: break
        case .nextDocument: text += " --- "
        case .scalar(let scalar, let anchor):
            let tag = scalar.tag.map { "<\($0)> " } ?? ""
            let plain = scalar.text.isEmpty ? "empty" : scalar.text
            begin(anchor, tag + (scalar.isPlain ? plain : scalar.text.debugDescription))
        case .sequenceStart(let anchor):
            begin(anchor, "[")
            levels.append((false, 0))
        case .mappingStart(let anchor):
            begin(anchor, "{")
            levels.append((true, 0))
        case .collectionEnd: text += levels.popLast()?.isMap ?? false ? "}" : "]"
        case .alias(let name): begin(nil, "*\(name)")
        }
    }

    private mutating func begin(_ anchor: String?, _ node: String) {
        if let last = levels.indices.last {
            let (isMap, count) = levels[last]
            if count > 0 { text += isMap && count % 2 == 1 ? ": " : ", " }
            levels[last].count += 1
        }
        text += (anchor.map { "&\($0) " } ?? "") + node
    }
}
