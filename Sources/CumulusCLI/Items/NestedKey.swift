// SPDX-License-Identifier: Apache-2.0

/// A data item's name parsed as a path into JSON, as in HTTPie: `a[b][0][]`.
struct NestedKey: Equatable, Sendable {
    /// One step of the path.
    enum Step: Equatable, Sendable {
        /// A member of an object.
        case member(String)
        /// An element of an array.
        case element(Int)
        /// A new element at an array's end.
        case append
    }

    let steps: [Step]
}

extension NestedKey {
    /// The largest index for which missing elements are made.
    private static let largestElement = 99_999
    /// The deepest nesting of made values, since writing them is recursive.
    private static let deepest = 512

    private enum Token: Equatable {
        case open
        case close
        /// A text, and whether it may be a number.
        case text(String, isPlain: Bool)
    }

    /// Parses a name: brackets are steps and digits in brackets are indices, unless a backslash comes before them.
    ///
    /// - Throws: ``UsageMistake`` with the position, counted from 1.
    init(parsing name: String) throws(UsageMistake) {
        var tokens = NestedKey.tokens(of: name)[...]
        var steps: [Step] = []
        if case .text(let text, _)? = tokens.first?.token {
            tokens = tokens.dropFirst()
            steps.append(.member(text))
        } else if tokens.isEmpty {
            steps.append(.member(""))
        }
        while let next = tokens.popFirst() {
            guard next.token == .open else { throw NestedKey.mistake(name, at: next.position, "expects '['") }
            guard let inner = tokens.popFirst() else {
                throw NestedKey.mistake(name, at: name.unicodeScalars.count, "has no closing ']'")
            }
            switch inner.token {
            case .open: throw NestedKey.mistake(name, at: inner.position, "expects a name, a number or ']'")
            case .close: steps.append(.append)
            case .text(let text, let isPlain):
                steps.append(try NestedKey.step(text, isPlain: isPlain, of: name, at: inner.position))
                guard tokens.popFirst()?.token == .close else {
                    throw NestedKey.mistake(name, at: inner.position, "needs a ']'")
                }
            }
        }
        guard steps.count <= NestedKey.deepest else {
            throw NestedKey.mistake(name, at: 1, "has more than \(NestedKey.deepest) levels")
        }
        self.steps = steps
    }

    private static func step(
        _ text: String,
        isPlain: Bool,
        of name: String,
        at position: Int
    ) throws(UsageMistake) -> Step {
        let isNumber = text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
        guard isPlain, isNumber, let number = Int(text) else { return .member(text) }
        guard number >= 0 else { throw mistake(name, at: position, "has a negative index") }
        guard number <= largestElement else { throw mistake(name, at: position, "has an index over \(largestElement)") }
        return .element(number)
    }

    private static func tokens(of name: String) -> [(token: Token, position: Int)] {
        var tokens: [(token: Token, position: Int)] = []
        var text = ""
        var isPlain = true
        var start = 1
        func flush(_ position: Int) {
            if !text.isEmpty { tokens.append((.text(text, isPlain: isPlain), start)) }
            text = ""
            isPlain = true
            start = position + 1
        }
        var isEscaped = false
        for (offset, scalar) in name.unicodeScalars.enumerated() {
            if isEscaped {
                // A backslash before digits makes them a name; before anything else it is a literal backslash.
                let isSpecial = scalar == "[" || scalar == "]" || scalar == "\\"
                let startsDigits = text.isEmpty && "0"..."9" ~= scalar
                text += isSpecial || startsDigits ? "\(scalar)" : "\\\(scalar)"
                isPlain = false
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "[" || scalar == "]" {
                flush(offset + 1)
                tokens.append((scalar == "[" ? .open : .close, offset + 1))
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        if isEscaped { text += "\\" }
        flush(name.unicodeScalars.count)
        return tokens
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func mistake(_ name: String, at position: Int, _ what: String) -> UsageMistake {
        UsageMistake(
            "the key \(quoted(name)) \(what) (at character \(position))",
            hint: "a[b]=x is a member, a[0]=x an element, a[]=x appends; \\[ is a literal bracket"
        )
    }
}
