// SPDX-License-Identifier: Apache-2.0

/// The XML declaration and the document type: checked by their grammar, and skipped.
extension XMLParser {
    // MARK: The declaration

    /// Skips `<?xml version="1.0" encoding="..." standalone="..."?>`.
    mutating func skipDeclaration() throws(Problem) {
        index += 5
        skipSpace()
        try skipWord("version")
        try skipValue(of: "1.") { _, byte in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        var hasSpace = skipSpace()
        if hasSpace, matches("encoding") {
            try skipWord("encoding")
            try skipValue { place, byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    place > 0
                default: false
                }
            }
            hasSpace = skipSpace()
        }
        if hasSpace, matches("standalone") {
            try skipWord("standalone")
            try skipEquals()
            guard let quote = skipQuote() else { throw unexpected() }
            if matches("yes") { index += 3 } else { try skipWord("no") }
            try skip(quote)
            skipSpace()
        }
        try skipWord("?>")
    }

    /// Skips `= "value"`, whose first part is given and whose rest has at least one character, all of them allowed.
    private mutating func skipValue(
        of beginning: StaticString = "",
        _ isAllowed: (_ place: Int, UInt8) -> Bool
    ) throws(Problem) {
        try skipEquals()
        guard let quote = skipQuote() else { throw unexpected() }
        try skipWord(beginning)
        let start = index
        while let next = byte(at: index), isAllowed(index - start, next) { index += 1 }
        guard index > start else { throw unexpected() }
        try skip(quote)
    }

    private mutating func skipEquals() throws(Problem) {
        skipSpace()
        try skip(UInt8(ascii: "="))
        skipSpace()
    }

    // MARK: The document type

    /// Skips `<!DOCTYPE name SYSTEM "..." [...]>`; entity declarations are refused.
    mutating func skipType() throws(Problem) {
        index += 9
        try skipSomeSpace()
        _ = try name()
        let hasSpace = skipSpace()
        if hasSpace, matches("SYSTEM") || matches("PUBLIC") {
            try skipExternalID()
            skipSpace()
        }
        if byte(at: index) == UInt8(ascii: "[") {
            index += 1
            try skipSubset()
            skipSpace()
        }
        try skip(UInt8(ascii: ">"))
    }

    private mutating func skipSubset() throws(Problem) {
        while let next = byte(at: index) {
            if skipSpace() { continue }
            if next == UInt8(ascii: "]") {
                index += 1
                return
            }
            if next == UInt8(ascii: "%") || matches("<!ENTITY") { throw problem(.entityDeclaration) }
            if matches("<!--") {
                try skipComment()
            } else if matches("<?") {
                try skipInstruction()
            } else if matches("<!ELEMENT") {
                try skipElementDeclaration()
            } else if matches("<!ATTLIST") {
                try skipAttributeDeclarations()
            } else if matches("<!NOTATION") {
                try skipNotation()
            } else {
                throw unexpected()
            }
        }
        throw problem(.unexpectedEnd)
    }

    /// Skips `SYSTEM "..."` or `PUBLIC "..." "..."`; a notation's system identifier may be missing.
    private mutating func skipExternalID(isNotation: Bool = false) throws(Problem) {
        let isPublic = matches("PUBLIC")
        try skipWord(isPublic ? "PUBLIC" : "SYSTEM")
        try skipSomeSpace()
        if isPublic {
            guard let quote = skipQuote() else { throw unexpected() }
            while let next = byte(at: index), next != quote {
                guard XMLParser.isPublicIdentifierByte(next) else { throw problem(.unexpectedByte) }
                index += 1
            }
            try skip(quote)
            let hasSpace = skipSpace()
            if isNotation, byte(at: index) == UInt8(ascii: ">") { return }
            guard hasSpace else { throw unexpected() }
        }
        guard let quote = skipQuote() else { throw unexpected() }
        while let next = byte(at: index), next != quote { index += 1 }
        try skip(quote)
    }

    private static func isPublicIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x20, 0x0D, 0x0A:
            true
        default: "-'()+,./:=?;!*#@$_%".utf8.contains(byte)
        }
    }

    private mutating func skipNotation() throws(Problem) {
        index += 10
        try skipSomeSpace()
        _ = try name()
        try skipSomeSpace()
        try skipExternalID(isNotation: true)
        skipSpace()
        try skip(UInt8(ascii: ">"))
    }

    // MARK: Elements

    private mutating func skipElementDeclaration() throws(Problem) {
        index += 9
        try skipSomeSpace()
        _ = try name()
        try skipSomeSpace()
        if matches("EMPTY") {
            index += 5
        } else if matches("ANY") {
            index += 3
        } else {
            let start = index
            try skip(UInt8(ascii: "("))
            skipSpace()
            if matches("#PCDATA") {
                try skipMixedContent()
            } else {
                index = start
                try skipContentModel()
            }
        }
        skipSpace()
        try skip(UInt8(ascii: ">"))
    }

    /// Skips the rest of `(#PCDATA)` or `(#PCDATA | a | b)*`.
    private mutating func skipMixedContent() throws(Problem) {
        index += 7
        skipSpace()
        var hasNames = false
        while byte(at: index) == UInt8(ascii: "|") {
            hasNames = true
            index += 1
            skipSpace()
            _ = try name()
            skipSpace()
        }
        try skip(UInt8(ascii: ")"))
        if hasNames { try skip(UInt8(ascii: "*")) } else if byte(at: index) == UInt8(ascii: "*") { index += 1 }
    }

    /// Skips `(a, (b | c)*, d?)`: groups have one kind of separator.
    private mutating func skipContentModel() throws(Problem) {
        // The separators of the open groups; 0 while a group has none yet.
        var separators: [UInt8] = []
        while true {
            // A name or a group begins here.
            skipSpace()
            if byte(at: index) == UInt8(ascii: "(") {
                guard separators.count < maximumDepth else { throw problem(.tooDeep) }
                separators.append(0)
                index += 1
                continue
            }
            _ = try name()
            skipOccurrence()
            // It ends, and maybe some groups with it.
            skipSpace()
            while byte(at: index) == UInt8(ascii: ")") {
                // Only a sequence may have a single member, whatever its separator would be.
                separators.removeLast()
                index += 1
                skipOccurrence()
                if separators.isEmpty { return }
                skipSpace()
            }
            guard let next = byte(at: index), next == UInt8(ascii: ",") || next == UInt8(ascii: "|"),
                let last = separators.last, last == 0 || last == next
            else { throw unexpected() }
            separators[separators.count - 1] = next
            index += 1
        }
    }

    private mutating func skipOccurrence() {
        if let next = byte(at: index), "?*+".utf8.contains(next) { index += 1 }
    }

    // MARK: Attributes

    private mutating func skipAttributeDeclarations() throws(Problem) {
        index += 9
        try skipSomeSpace()
        _ = try name()
        while true {
            let hasSpace = skipSpace()
            if byte(at: index) == UInt8(ascii: ">") {
                index += 1
                return
            }
            guard hasSpace else { throw unexpected() }
            _ = try name()
            try skipSomeSpace()
            try skipAttributeType()
            try skipSomeSpace()
            try skipDefault()
        }
    }

    private mutating func skipAttributeType() throws(Problem) {
        if byte(at: index) == UInt8(ascii: "(") { return try skipChoices(areNames: false) }
        let start = index
        switch try name() {
        case "CDATA", "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKEN", "NMTOKENS": return
        case "NOTATION":
            try skipSomeSpace()
            try skipChoices(areNames: true)
        default: throw problem(.unexpectedByte, at: start)
        }
    }

    /// Skips `(a | b)`; the members of an enumeration may begin with any character of names.
    private mutating func skipChoices(areNames: Bool) throws(Problem) {
        try skip(UInt8(ascii: "("))
        while true {
            skipSpace()
            _ = try name(isToken: !areNames)
            skipSpace()
            if byte(at: index) == UInt8(ascii: ")") {
                index += 1
                return
            }
            try skip(UInt8(ascii: "|"))
        }
    }

    private mutating func skipDefault() throws(Problem) {
        if matches("#REQUIRED") || matches("#IMPLIED") {
            index += matches("#REQUIRED") ? 9 : 8
            return
        }
        if matches("#FIXED") {
            index += 6
            try skipSomeSpace()
        }
        guard let quote = skipQuote() else { throw unexpected() }
        _ = try characters(inAttribute: true) { byte, _ in byte == quote }
        try skip(quote)
    }

    // MARK: Words

    private mutating func skipSomeSpace() throws(Problem) {
        guard skipSpace() else { throw unexpected() }
    }

    private mutating func skip(_ expected: UInt8) throws(Problem) {
        guard byte(at: index) == expected else { throw unexpected() }
        index += 1
    }

    private mutating func skipWord(_ word: StaticString) throws(Problem) {
        guard matches(word) else { throw unexpected() }
        index += word.utf8CodeUnitCount
    }

    private mutating func skipQuote() -> UInt8? {
        guard let quote = byte(at: index), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        index += 1
        return quote
    }
}
