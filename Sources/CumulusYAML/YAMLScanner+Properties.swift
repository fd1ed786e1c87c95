// SPDX-License-Identifier: Apache-2.0

/// Names of anchors, and tags (YAML 1.2.2 section 6.9).
extension YAMLScanner {
    /// The longest prefix that `%TAG` can declare: each tag that uses it is a copy.
    private static let longestPrefix = 1_024

    /// Reads the name after `&` or `*`.
    mutating func anchorName() throws(YAMLProblem) -> String {
        position += 1
        let start = position
        while !YAMLScanner.endsWord(byte()), !YAMLScanner.isFlowIndicator(byte()) {
            // In `*a: b`, the colon could belong to the name, but other readers end the name there.
            if byte() == UInt8(ascii: ":"), YAMLScanner.endsWord(byte(1)) || YAMLScanner.isFlowIndicator(byte(1)) {
                break
            }
            position += 1
        }
        guard position > start else { throw problem("& and * must be followed by a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a tag, and expands its handle.
    mutating func tag(handles: [String: String]) throws(YAMLProblem) -> String {
        let start = position
        position += 1
        if byte() == UInt8(ascii: "<") {
            position += 1
            let uri = try uri(allowsFlow: true)
            guard byte() == UInt8(ascii: ">"), !uri.isEmpty else {
                throw problem("a tag that begins with !< must end with >")
            }
            position += 1
            return uri
        }
        var length = 0
        while YAMLScanner.isWord(byte(length)) { length += 1 }
        let hasName = byte(length) == UInt8(ascii: "!")
        if hasName { position += length + 1 }
        let handle = String(decoding: bytes[start..<position], as: UTF8.self)
        let suffix = try uri(allowsFlow: false)
        if hasName, suffix.isEmpty { throw problem("a tag has no name after \(quoted(handle))") }
        if !hasName, suffix.isEmpty { return "!" }
        guard let prefix = handles[handle] else {
            throw problem("a tag begins with \(quoted(handle)), which no %TAG directive declares")
        }
        return prefix + suffix
    }

    /// Reads a directive's line, and adds its handle if it is `%TAG`.
    mutating func directive(handles: inout [String: String], names: inout Set<String>) throws(YAMLProblem) {
        position += 1
        guard !YAMLScanner.endsWord(byte()) else { throw problem("a directive has no name") }
        let name = word()
        switch name {
        case "YAML":
            let version = word()
            let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].elementsEqual("1".utf8), !parts[1].isEmpty,
                parts[1].allSatisfy({ 48...57 ~= $0 })
            else {
                throw problem("the version \(quoted(version)) is not supported; write %YAML 1.2")
            }
            guard names.insert(name).inserted else { throw problem("there is a second %YAML directive") }
        case "TAG":
            let handle = word()
            let middle = handle.utf8.dropFirst().dropLast()
            let mark = UInt8(ascii: "!")
            let isHandle =
                handle.utf8.first == mark && handle.utf8.last == mark && middle.allSatisfy(YAMLScanner.isWord)
            skipBlanks()
            let prefix = try uri(allowsFlow: true)
            guard isHandle, !prefix.isEmpty, YAMLScanner.endsWord(byte()) else {
                throw problem("a %TAG directive must have a handle, such as !a!, and a prefix")
            }
            guard prefix.utf8.count <= YAMLScanner.longestPrefix else { throw problem("a tag's prefix is too long") }
            guard names.insert(handle).inserted else {
                throw problem("there is a second %TAG directive for \(quoted(handle))")
            }
            handles[handle] = prefix
        // Other names are reserved, and to be ignored.
        default: skipText()
        }
        try endLine(after: "a directive")
    }

    /// Reads up to the next blank.
    private mutating func word() -> String {
        skipBlanks()
        let start = position
        while !YAMLScanner.endsWord(byte()) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads characters of a URI, and decodes those that are escaped by `%`.
    private mutating func uri(allowsFlow: Bool) throws(YAMLProblem) -> String {
        var text: [UInt8] = []
        while true {
            let next = byte()
            if next == UInt8(ascii: "%") {
                let digits = [byte(1), byte(2)].map { Character(Unicode.Scalar($0)).hexDigitValue }
                guard let high = digits[0], let low = digits[1] else {
                    throw problem("a tag contains a % without two hexadecimal digits")
                }
                text.append(UInt8(high << 4 | low))
                position += 3
            } else if YAMLScanner.isWord(next) || YAMLScanner.marks.contains(next)
                || allowsFlow && YAMLScanner.flowMarks.contains(next)
            {
                text.append(next)
                position += 1
            } else {
                guard let uri = String(validating: text, as: UTF8.self) else { throw problem("a tag is not UTF-8") }
                return uri
            }
        }
    }

    /// The characters of URIs that are neither letters nor digits.
    private static let marks = Array("#;/?:@&=+$_.~*'()".utf8)
    /// Those that a tag can have between `<` and `>` only.
    private static let flowMarks = Array("!,[]".utf8)

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private func quoted(_ name: String) -> String { "\"\(name.prefix(80))\"" }
}
