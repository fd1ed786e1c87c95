// SPDX-License-Identifier: Apache-2.0

extension JSONFilter {
    /// Parses a path: `.`, `.name`, `."any name"`, `[0]`, `[-1]`, `[]`, `[0:5]`, `["any name"]`, `{name, age}`, in any
    /// sequence.
    ///
    /// As in jq, `|` may separate them.
    ///
    /// - Throws: ``UsageMistake`` with the place, counted from 1.
    init(parsing text: String, of option: String = "--filter") throws(UsageMistake) {
        var scalars = Array(text.unicodeScalars)[...]
        var steps: [Step] = []
        guard scalars.first.map(JSONFilter.beginsStep) == true else {
            throw JSONFilter.mistake(text, at: 1, option, hint: JSONFilter.hint(for: text))
        }
        if scalars.count == 1, scalars.first == "." { scalars = [] }
        while let scalar = scalars.first {
            let place = scalars.startIndex + 1
            scalars = scalars.dropFirst()
            switch scalar {
            case "." where scalars.first == "[" || scalars.first == "{": continue
            case "." where scalars.first == "\"":
                steps.append(.member(try JSONFilter.quoted(&scalars, of: text, option)))
            case ".":
                let name = scalars.prefix { scalar in ![".", "[", "]", "\"", "{", " ", "|"].contains(scalar) }
                if name.isEmpty { throw JSONFilter.mistake(text, at: place, option) }
                if let other = name.firstIndex(where: { !JSONFilter.isPartOfName($0) }) {
                    throw JSONFilter.mistake(text, at: other + 1, option)
                }
                scalars = scalars[name.endIndex...]
                steps.append(.member(String(String.UnicodeScalarView(name))))
            case "[":
                steps.append(try JSONFilter.bracket(&scalars, of: text, at: place, option))
            case "{": steps.append(try JSONFilter.columns(&scalars, of: text, option))
            case " ", "|":
                let marks = ([scalar] + scalars).prefix { $0 == " " || $0 == "|" }
                scalars = scalars.dropFirst(marks.count - 1)
                guard marks.count(where: { $0 == "|" }) == 1, scalars.first.map(JSONFilter.beginsStep) == true else {
                    throw JSONFilter.mistake(text, at: place, option)
                }
            default: throw JSONFilter.mistake(text, at: place, option)
            }
        }
        self.steps = steps
    }

    /// The content of brackets, after the opening one.
    private static func bracket(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        at place: Int,
        _ option: String
    ) throws(UsageMistake) -> Step {
        let step: Step
        if scalars.first == "\"" {
            step = .member(try quoted(&scalars, of: text, option))
        } else {
            let start = try number(&scalars, of: text, at: place, option)
            if scalars.first == ":" {
                scalars = scalars.dropFirst()
                let end = try number(&scalars, of: text, at: place, option)
                guard start != nil || end != nil else { throw mistake(text, at: place, option) }
                step = .slice(start, end)
            } else {
                step = start.map(Step.element) ?? .each
            }
        }
        guard scalars.popFirst() == "]" else { throw mistake(text, at: place, option) }
        return step
    }

    /// A number, or `nil` if there are no digits.
    private static func number(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        at place: Int,
        _ option: String
    ) throws(UsageMistake) -> Int? {
        let digits = scalars.prefix { scalar in scalar == "-" || "0"..."9" ~= scalar }
        scalars = scalars[digits.endIndex...]
        if digits.isEmpty { return nil }
        guard let number = Int(String(String.UnicodeScalarView(digits))) else { throw mistake(text, at: place, option) }
        return number
    }

    private static func beginsStep(_ scalar: Unicode.Scalar) -> Bool { [".", "[", "{"].contains(scalar) }

    /// A name in quotes; a backslash escapes a quote or a backslash.
    private static func quoted(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        _ option: String
    ) throws(UsageMistake) -> String {
        let place = scalars.startIndex + 1
        scalars = scalars.dropFirst()
        var name = String.UnicodeScalarView()
        while let scalar = scalars.popFirst() {
            if scalar == "\"" { return String(name) }
            name.append(scalar == "\\" ? scalars.popFirst() ?? scalar : scalar)
        }
        throw mistake(text, at: place, option)
    }

    /// Whether a name without quotes may contain a character: the others are operators in jq.
    static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$", "@", ":": true
        default: !scalar.isASCII && !scalar.properties.isWhitespace
        }
    }

    private static func hint(for text: String) -> String? {
        UsageMistake.curlyQuoteHint(for: text) ?? corrected(text).map { "write \($0)" }
    }

    /// The path without the `$` of JSONPath, or with the dot that it lacks; `nil` if that isn't a path either.
    private static func corrected(_ text: String) -> String? {
        let path = text.utf8.first == UInt8(ascii: "$") ? text.utf8.dropFirst().text : ".\(text)"
        // Otherwise the parser would ask for a correction of the correction.
        guard path.unicodeScalars.first.map(beginsStep) == true else { return nil }
        return (try? JSONFilter(parsing: path)) == nil ? nil : path
    }

    static func mistake(_ text: String, at place: Int, _ option: String, hint: String? = nil) -> UsageMistake {
        UsageMistake(
            "\(option) \(Quotation(text).text) has a syntax error at character \(place)",
            hint: hint
                ?? "paths are .items[0].name, .items[].name, .items[0:5], .items[] | {name, age}, .[\"any name\"]; for more, "
                + "use cumulus URL | jq"
        )
    }
}
