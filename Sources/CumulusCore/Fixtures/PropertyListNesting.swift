// SPDX-License-Identifier: Apache-2.0

/// Judges property lists before Foundation reads them: its parser takes the stack that deep nesting asks for, and goes
/// round in binary ones that refer to themselves.
struct PropertyListNesting {
    private static let limit = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    private var hasElements = false

    /// What is wrong; `nil` for XML that is not nested too deep.
    static func problem(of bytes: [UInt8]) -> String? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard start.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") else {
            return "it is no XML, which is the one kind of property list that is read"
        }
        var nesting = PropertyListNesting(bytes)
        return nesting.problem()
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func problem() -> String? {
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            if follows("!--") {
                skip(past: "-->")
            } else if follows("![CDATA[") {
                skip(past: "]]>")
            } else if follows("?") {
                skip(past: "?>")
            } else if follows("!") {
                // Only what stands before the first element can be a document type.
                if hasElements { return "it has a declaration inside" }
            } else if follows("/array") || follows("/dict") {
                depth = max(0, depth - 1)
            } else if follows("array") || follows("dict") {
                hasElements = true
                skip(past: ">")
                if index < 2 || bytes[index - 2] != UInt8(ascii: "/") { depth += 1 }
                if depth > PropertyListNesting.limit {
                    return "it is nested deeper than \(PropertyListNesting.limit) levels"
                }
            } else {
                hasElements = true
            }
        }
        return nil
    }

    private func follows(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private mutating func skip(past text: StaticString) {
        while index < bytes.count, !follows(text) { index += 1 }
        index = min(index + text.utf8CodeUnitCount, bytes.count)
    }
}
