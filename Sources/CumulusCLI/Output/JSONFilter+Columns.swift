// SPDX-License-Identifier: Apache-2.0

extension JSONFilter {
    /// The columns of `{name, years: .age, address.city}`, after the opening brace.
    static func columns(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        _ option: String
    ) throws(UsageMistake) -> Step {
        var columns: [Column] = []
        guard depth(of: scalars) <= deepest else { throw mistake(text, at: scalars.startIndex, option) }
        repeat {
            let start = scalars.startIndex
            let piece = try piece(&scalars, of: text, option)
            columns.append(try column(piece, of: text, at: start + 1, option))
        } while scalars.popFirst() == ","
        return .columns(columns)
    }

    /// The most levels of braces in braces; each level parses its text again.
    private static let deepest = 16

    /// The most levels of braces in a text.
    private static func depth(of scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var (isQuoted, depth, most) = (false, 1, 1)
        var index = scalars.startIndex
        while index < scalars.endIndex, depth > 0 {
            switch scalars[index] {
            case "\"": isQuoted.toggle()
            case "\\" where isQuoted: index += 1
            case "{" where !isQuoted: depth += 1
            case "}" where !isQuoted: depth -= 1
            default: break
            }
            most = max(most, depth)
            index += 1
        }
        return most
    }

    /// The text before the next comma or closing brace at this level, which remains for the caller.
    private static func piece(
        _ scalars: inout ArraySlice<Unicode.Scalar>,
        of text: String,
        _ option: String
    ) throws(UsageMistake) -> ArraySlice<Unicode.Scalar> {
        var (isQuoted, depth) = (false, 0)
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            if scalar == "\"" { isQuoted.toggle() }
            if isQuoted, scalar == "\\" { index += 1 }
            if !isQuoted {
                if depth == 0, scalar == "," || scalar == "}" {
                    defer { scalars = scalars[index...] }
                    return scalars[..<index]
                }
                depth += ["[", "{"].contains(scalar) ? 1 : ["]", "}"].contains(scalar) ? -1 : 0
            }
            index += 1
        }
        throw mistake(text, at: scalars.endIndex, option)
    }

    private static func column(
        _ piece: ArraySlice<Unicode.Scalar>,
        of text: String,
        at place: Int,
        _ option: String
    ) throws(UsageMistake) -> Column {
        let (name, path) = split(piece)
        guard let first = path.first else { throw mistake(text, at: place, option) }
        let whole = String(String.UnicodeScalarView(path))
        let isPath = first == "." || first == "["
        do throws(UsageMistake) {
            let filter = try JSONFilter(parsing: isPath ? whole : ".\(whole)", of: option)
            if let name { return Column(name: name, steps: filter.steps) }
            if case .member(let only)? = filter.steps.first, filter.steps.count == 1 {
                return Column(name: only, steps: filter.steps)
            }
            guard !filter.steps.isEmpty else { throw mistake(text, at: place, option) }
            return Column(name: isPath ? String(whole.dropFirst()) : whole, steps: filter.steps)
        } catch {
            throw mistake(text, at: place, option)
        }
    }

    /// Splits `name: path`.
    ///
    /// The name is `nil` if there is only a path.
    private static func split(
        _ scalars: ArraySlice<Unicode.Scalar>
    ) -> (name: String?, path: ArraySlice<Unicode.Scalar>) {
        let scalars = trimmed(scalars)
        guard let colon = scalars.firstIndex(of: ":"), scalars[..<colon].allSatisfy(isPartOfName) else {
            return (nil, scalars)
        }
        let pathScalars = trimmed(scalars[(colon + 1)...])
        guard pathScalars.first == "." || pathScalars.first == "[" else { return (nil, scalars) }
        return (String(String.UnicodeScalarView(scalars[..<colon])), pathScalars)
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var scalars = scalars.drop { $0 == " " }
        while scalars.last == " " { scalars = scalars.dropLast() }
        return scalars
    }
}
