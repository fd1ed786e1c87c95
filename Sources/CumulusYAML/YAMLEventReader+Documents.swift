// SPDX-License-Identifier: Apache-2.0

/// The position in a stream of documents.
struct YAMLDocumentState {
    enum Stage {
        case start
        /// Directives, a document or the end.
        case prefix
        /// The document's content; whether it begins in the line of its marker.
        case content(isMarked: Bool)
        /// A marker or the end.
        case suffix
    }

    fileprivate static let standardHandles = ["!": "!", "!!": "tag:yaml.org,2002:"]

    var stage = Stage.start
    /// The prefixes of tags, by their handles.
    var handles = standardHandles
    /// Whether there was a document.
    var isFollowing = false
}

/// Documents, their markers and their directives (YAML 1.2.2 chapter 9).
extension YAMLEventReader {
    mutating func documentStep() throws(YAMLProblem) -> Located {
        switch document.stage {
        case .start: try scanner.checkCharacters()
        case .prefix: break
        case .content(let isMarked):
            document.stage = .suffix
            return try blockNode(parent: -1, isCompact: !isMarked, isInMap: false)
        case .suffix: try endDocument()
        }
        document.stage = .prefix
        guard let isMarked = try skipPrefix() else { return (.streamEnd, scanner.line) }
        document.stage = .content(isMarked: isMarked)
        defer { document.isFollowing = true }
        return (document.isFollowing ? .nextDocument : .boundary, scanner.line)
    }

    /// Skips what follows a document, up to its end's marker.
    private mutating func endDocument() throws(YAMLProblem) {
        guard try indentation() < 0 else {
            throw scanner.problem("unexpected text after the document's value; check its indentation")
        }
    }

    /// Reads directives and markers before a document; whether the last is `---`, or `nil` if the text ends.
    private mutating func skipPrefix() throws(YAMLProblem) -> Bool? {
        var names: Set<String> = []
        var hasDirectives = false
        document.handles = YAMLDocumentState.standardHandles
        while true {
            let column = try indentation()
            let next = scanner.byte()
            if column < 0, next == UInt8(ascii: "-") {
                scanner.position += 3
                return true
            } else if column == 0, next == UInt8(ascii: "%") {
                hasDirectives = true
                try scanner.directive(handles: &document.handles, names: &names)
            } else if hasDirectives {
                throw scanner.problem("a directive must be followed by a line with ---")
            } else if column < 0, next == UInt8(ascii: ".") {
                scanner.position += 3
                try scanner.endLine(after: "...")
            } else {
                return column < 0 ? nil : false
            }
        }
    }
}
