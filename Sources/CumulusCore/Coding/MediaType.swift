// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A media type with its parameters (RFC 9110 section 8.3.1); type and subtype are case-insensitive.
public struct MediaType: Sendable, Hashable {
    /// The type, in lower case: `application`.
    public let type: String
    /// The subtype, in lower case: `problem+json`.
    public let subtype: String
    /// The parameters in order, with their names in lower case.
    public let parameters: [Parameter]

    /// A parameter of a media type.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value, without quotes.
        public let value: String

        /// Creates a parameter.
        public init(name: String, value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    /// Creates a media type from its parts.
    public init(_ type: String, _ subtype: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Creates a media type from a `Content-Type` value; `nil` if it is invalid.
    public init?(_ text: String) { self.init(parsing: text) }

    /// Parses a `Content-Type` value; `nil` if it is invalid.
    package init?(parsing text: String) {
        var parts = MediaType.split(text)[...]
        guard let name = parts.popFirst() else { return nil }
        let names = name.parts(at: "/")
        guard names.count == 2, names.allSatisfy(MediaType.isToken) else { return nil }
        let parameters = parts.compactMap { part -> Parameter? in
            guard let equals = part.unicodeScalars.firstIndex(of: "=") else { return nil }
            let name = MediaType.trim(part[..<equals])
            guard MediaType.isToken(name) else { return nil }
            let value = part[part.unicodeScalars.index(after: equals)...]
            return Parameter(name: String(name), value: MediaType.unquote(value))
        }
        self.init(String(names[0]), String(names[1]), parameters: parameters)
    }

    /// A parameter's value; `nil` if there is none.
    public subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter.lowercased() }?.value
    }

    /// The type and subtype without parameters: `application/json`.
    public var essence: String { "\(type)/\(subtype)" }

    /// Whether this is JSON: `application/json`, `text/json`, or a type that ends in `+json` (RFC 6839).
    public var isJSON: Bool { subtype == "json" || subtype.ends(with: "+json") }

    // All of these compare scalars: as a `Character`, a quote may include a combining mark that follows it.

    private static func split(_ text: String) -> [Substring] {
        let scalars = text.unicodeScalars
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in scalars.indices {
            switch scalars[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted:
                parts.append(trim(text[start..<index]))
                start = scalars.index(after: index)
            default: break
            }
        }
        parts.append(trim(text[start...]))
        return parts
    }

    private static func trim(_ text: Substring) -> Substring {
        text.trimmed
    }

    private static func unquote(_ text: Substring) -> String {
        let scalars = trim(text).unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return String(scalars) }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in scalars.dropFirst().dropLast() {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(scalar)
                isEscaped = false
            }
        }
        return String(result)
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }
}

extension MediaType: CustomStringConvertible {
    /// The media type as in a header field.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            let isToken = MediaType.isToken(parameter.value[...])
            var escaped = String.UnicodeScalarView()
            for scalar in parameter.value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
                escaped.append(scalar)
            }
            text += "; \(parameter.name)=" + (isToken ? parameter.value : "\"\(String(escaped))\"")
        }
    }
}

extension MediaType: ExpressibleByStringLiteral {
    /// Creates a media type from a literal; an invalid one becomes `application/octet-stream`.
    public init(stringLiteral text: String) { self = MediaType(parsing: text) ?? .bytes }
}

extension MediaType {
    /// `application/json`.
    public static let json = MediaType("application", "json")
    /// `application/xml`.
    public static let xml = MediaType("application", "xml")
    /// `application/x-plist`.
    public static let propertyList = MediaType("application", "x-plist")
    /// `application/x-ndjson`.
    public static let jsonLines = MediaType("application", "x-ndjson")
    /// `text/html`.
    public static let html = MediaType("text", "html")
    /// `text/plain` in UTF-8.
    public static let text = MediaType("text", "plain", parameters: [Parameter(name: "charset", value: "utf-8")])
    /// `image/png`.
    public static let png = MediaType("image", "png")
    /// `application/x-www-form-urlencoded`.
    public static let form = MediaType("application", "x-www-form-urlencoded")
    /// `application/octet-stream`.
    public static let bytes = MediaType("application", "octet-stream")
}
