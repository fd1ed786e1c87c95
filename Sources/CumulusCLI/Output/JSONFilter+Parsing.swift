// SPDX-License-Identifier: Apache-2.0

extension JSONFilter {
    /// Parses a path: `.`, `.name`, `."any name"`, `[0]`, `[-1]`, `[]`, `["any name"]`, one after the other.
    ///
    /// - Throws: ``UsageMistake`` with the place, counted from 1.
    init(parsing text: String) throws(UsageMistake) {
        var scalars = Array(text.unicodeScalars)[...]
        var steps: [Step] = []
        guard scalars.first == "." || scalars.first == "[" else { throw JSONFilter.mistake(text, at: 1) }
        if scalars.count == 1, scalars.first == "." { scalars = [] }
        while let scalar = scalars.first {
            let place = scalars.startIndex + 1
            scalars = scalars.dropFirst()
            switch scalar {
            case "." where scalars.first == "[": continue
            case "." where scalars.first == "\"": steps.append(.member(try JSONFilter.quoted(&scalars, of: text)))
            case ".":
                let name = scalars.prefix { scalar in ![".", "[", "]", "\""].contains(scalar) }
                if name.isEmpty { throw JSONFilter.mistake(text, at: place) }
                if let other = name.firstIndex(where: { !JSONFilter.isPartOfName($0) }) {
                    throw JSONFilter.mistake(text, at: other + 1)
                }
                scalars = scalars[name.endIndex...]
                steps.append(.member(String(String.UnicodeScalarView(name))))
            case "[":
                steps.append(try JSONFilter.bracket(&scalars, of: text, at: place))
            default: throw JSONFilter.mistake(text, at: place)
            }
        }
        self.steps = steps
    }

    /// The content of brackets, after the opening one.
    private static func bracket(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        at place: Int
    ) throws(UsageMistake) -> Step {
        let step: Step
        if scalars.first == "\"" {
            step = .member(try quoted(&scalars, of: text))
        } else {
            let digits = scalars.prefix { scalar in scalar == "-" || "0"..."9" ~= scalar }
            scalars = scalars[digits.endIndex...]
            let number = String(String.UnicodeScalarView(digits))
            guard number.isEmpty || Int(number) != nil else { throw mistake(text, at: place) }
            step = Int(number).map(Step.element) ?? .each
        }
        guard scalars.popFirst() == "]" else { throw mistake(text, at: place) }
        return step
    }

    /// A name in quotes; a backslash escapes a quote or a backslash.
    private static func quoted(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String
    ) throws(UsageMistake) -> String {
        let place = scalars.startIndex + 1
        scalars = scalars.dropFirst()
        var name = String.UnicodeScalarView()
        while let scalar = scalars.popFirst() {
            if scalar == "\"" { return String(name) }
            name.append(scalar == "\\" ? scalars.popFirst() ?? scalar : scalar)
        }
        throw mistake(text, at: place)
    }

    /// Whether a name without quotes may contain a character: the others are operators in jq.
    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "$", "@", ":": true
        default: !scalar.isASCII && !scalar.properties.isWhitespace
        }
    }

    private static func mistake(_ text: String, at place: Int) -> UsageMistake {
        UsageMistake(
            "--filter does not understand \(Quotation(text).text) at character \(place)",
            hint:
                "it knows paths only: .items[0].name, .items[].name, .[\"any name\"]; jq does the rest: cumulus URL | jq"
        )
    }
}
