// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices
import HTTPTypes

/// The items of a call, split into values for the endpoint's parameters, and the rest.
struct CallItems {
    private let endpoint: EndpointDescription
    private let readFile: FileReader
    private let takesAnyData: Bool
    /// Whether the body is a form, of parts or not; `nil` for other bodies.
    private let isMultipart: Bool?
    /// Values for parameters outside the body.
    private(set) var arguments = EndpointArguments()
    /// Items for the request itself: headers, query items, the body's data.
    private(set) var others: [RequestItem] = []
    /// The body's members that have values.
    private(set) var bodyNames: Set<String> = []
    /// Whether a file is the whole body.
    private(set) var hasWholeBody = false
    private var values: [String: [JSON]] = [:]
    private var texts: [(String, String)] = []
    private var fields = CallFields()

    init(_ endpoint: EndpointDescription, body format: EndpointBodyFormat, readFile: FileReader) {
        self.endpoint = endpoint
        isMultipart =
            switch format {
            case .form: false
            case .multipart: true
            case .json, .media: nil
            }
        self.readFile = readFile
        let members = endpoint.parameters.filter { $0.place == .body }
        let hasBody = endpoint.method != .get && endpoint.method != .head
        takesAnyData = hasBody && members.isEmpty && (endpoint.bodyFormat != nil || endpoint.parameters.isEmpty)
    }

    /// Whether any item is a value for a parameter outside the body.
    var hasArguments: Bool { !values.isEmpty || !texts.isEmpty }

    /// Whether any item is data of a body.
    var hasData: Bool { others.contains(where: \.kind.isData) }

    /// Takes all items.
    mutating func take(_ words: [String], _ options: Arguments) throws(UsageMistake) {
        for word in words {
            if URLShorthand.isAnotherURL(word) {
                throw UsageMistake("remove the URL \(quotedURL(word)): a call uses the service's URL")
            }
        }
        for item in try ItemSplit(words, options).items() { try take(item) }
        if let isMultipart { try fields.write(into: &others, asParts: isMultipart) }
        for (name, given) in values {
            guard given.count > 1 else {
                arguments[name] = given[0]
                continue
            }
            guard let parameter = endpoint[parameter: name], CallItems.takesMany(parameter) else {
                throw UsageMistake("\(quoted(name)) is set twice, but accepts only one value")
            }
            arguments[name] = JSON.array(given)
        }
    }

    private mutating func take(_ item: RequestItem) throws(UsageMistake) {
        switch item.kind {
        case .header, .emptyHeader, .headerFromFile:
            let field = endpoint.parameters.first { parameter in
                parameter.place == .header && parameter.sentName.lowercased() == item.name.lowercased()
            }
            guard let field, item.kind == .header, !item.value.trimmed.isEmpty else { return others.append(item) }
            try give(.string(String(item.value.trimmed)), to: field)
        case .query, .queryFromFile:
            // An unknown query item is sent anyway, since it was written as one.
            guard let parameter = parameter(item.name), parameter.place != .body else { return others.append(item) }
            try give(.string(item.kind == .query ? item.value : try readFile.text(item)), to: parameter)
        case .upload where item.name.isEmpty:
            hasWholeBody = true
            others.append(item)
        case .text, .textFromFile, .json, .jsonFromFile, .upload: try takeData(item)
        }
    }

    private mutating func takeData(_ item: RequestItem) throws(UsageMistake) {
        let path = try NestedKey(parsing: item.name)
        guard case .member(let name)? = path.steps.first else { return try takeBody(item, nil) }
        guard let parameter = parameter(item.name) ?? parameter(name) else { return try takeBody(item, nil) }
        if parameter.place == .body {
            bodyNames.insert(parameter.name)
            return try takeBody(item, parameter)
        }
        switch item.kind {
        case .json, .jsonFromFile: try give(try JSONItem.value(of: item, readFile: readFile), to: parameter)
        case .upload: throw UsageMistake("\(quoted(name)) is sent in the \(parameter.place.rawValue), not as a file")
        case .textFromFile: try give(.string(try readFile.text(item)), to: parameter)
        default: try give(.string(item.value), to: parameter)
        }
    }

    private mutating func takeBody(_ item: RequestItem, _ parameter: EndpointParameter?) throws(UsageMistake) {
        guard let parameter else {
            if takesAnyData { return others.append(item) }
            throw unknown(item)
        }
        var name = item.name
        if parameter.name != parameter.sentName, name.utf8.starts(with: parameter.name.utf8) {
            name = parameter.sentName + name.utf8.dropFirst(parameter.name.utf8.count).text
        }
        let isWhole = item.name == parameter.name
        if isWhole, item.kind == .text { try check(item.value, parameter) }
        if isMultipart != nil, item.kind != .upload, parameter.kind != .file || item.kind != .text {
            let isTyped = isWhole && item.kind == .text
            let value = try isTyped ? typed(item.value, parameter) : CallItems.value(of: item, readFile: readFile)
            return try fields.add(value, at: isWhole ? nil : item.name, to: parameter, before: others.count)
        }
        guard isWhole, item.kind == .text else {
            return others.append(RequestItem(kind: item.kind, name: name, value: item.value))
        }
        _ = try typed(item.value, parameter)
        switch parameter.kind {
        case .any, .text: others.append(RequestItem(kind: .text, name: name, value: item.value))
        case .file: others.append(RequestItem(kind: .upload, name: name, value: item.value))
        case .integer, .number, .boolean, .map: others.append(RequestItem(kind: .json, name: name, value: item.value))
        case .list:
            let text = String(decoding: try typed(item.value, parameter).encoded(), as: UTF8.self)
            others.append(RequestItem(kind: .json, name: name, value: text))
        }
    }

    /// The value of an item of a form.
    private static func value(of item: RequestItem, readFile: FileReader) throws(UsageMistake) -> JSON {
        switch item.kind {
        case .json, .jsonFromFile: try JSONItem.value(of: item, readFile: readFile)
        case .textFromFile: .string(try readFile.text(item))
        default: .string(item.value)
        }
    }

    /// A text as a value of a parameter's kind.
    private func typed(_ text: String, _ parameter: EndpointParameter) throws(UsageMistake) -> JSON {
        switch parameter.kind {
        case .any, .text, .file: return .string(text)
        case .integer, .number, .boolean, .map:
            guard let value = try? JSON(parsing: text), CallItems.fits(value, parameter.kind) else {
                throw UsageMistake("the value for \(quoted(parameter.name)) must be \(CallItems.word(parameter.kind))")
            }
            return value
        case .list: return .array(text.isEmpty ? [] : CallItems.parts(text).map(JSON.string))
        }
    }

    private func check(_ text: String, _ parameter: EndpointParameter) throws(UsageMistake) {
        let texts = parameter.kind == .list ? CallItems.parts(text) : [text]
        if parameter.allowedValues.isEmpty || texts.allSatisfy(parameter.allowedValues.contains) { return }
        throw UsageMistake(
            "\(quoted(text)) is not a valid value for \(quoted(parameter.name))",
            hint: "the values are \(parameter.allowedValues.joined(separator: ", "))"
        )
    }

    /// The parts between commas.
    private static func parts(_ text: String) -> [String] {
        let parts: [String] = text.parts(at: ",")
        return parts
    }

    private static func fits(_ value: JSON, _ kind: EndpointParameter.Kind) -> Bool {
        switch kind {
        case .integer: value.number?.int != nil
        case .number: value.number != nil
        case .boolean: value.bool != nil
        default: value.object != nil
        }
    }

    private static func word(_ kind: EndpointParameter.Kind) -> String {
        switch kind {
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        default: "a JSON object"
        }
    }

    /// Whether several values may be given: for a list, and for a value of any kind outside the path.
    private static func takesMany(_ parameter: EndpointParameter) -> Bool {
        parameter.kind == .list || parameter.kind == .any && parameter.place != .path
    }

    private mutating func give(_ value: JSON, to parameter: EndpointParameter) throws(UsageMistake) {
        // The library converts a text to the parameter's kind.
        let takesMany =
            CallItems.takesMany(parameter) && (parameter.kind == .any || value.string?.has(",") == false)
        if let text = value.string, !takesMany {
            if texts.contains(where: { $0.0 == parameter.name }) || values[parameter.name] != nil {
                throw UsageMistake("\(quoted(parameter.name)) is set twice, but accepts only one value")
            }
            texts.append((parameter.name, text))
            arguments = EndpointArguments(texts: texts)
        } else {
            values[parameter.name, default: []].append(value)
        }
    }

    /// A parameter by its name, or by the service's name for it.
    private func parameter(_ name: String) -> EndpointParameter? {
        if let found = endpoint[parameter: name] { return found }
        // In a template, `user-id` is the variable `user_id`.
        let word = name.utf8.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 }
        let found = endpoint[parameter: String(decoding: word, as: UTF8.self)]
        return found.flatMap { $0.place == .path ? $0 : nil }
    }

    private func unknown(_ item: RequestItem) -> UsageMistake {
        let names = endpoint.parameterNames
        let similar = SimilarName.of(item.name, among: names)
        let takes = names.isEmpty ? "it has no parameters" : "parameters: \(CallItems.list(names, of: endpoint))"
        return UsageMistake(
            "the endpoint \(quoted(endpoint.name)) has no parameter \(quoted(item.name))",
            hint: similar.map { "did you mean \($0)? \(takes)" } ?? takes
        )
    }

    /// The names of parameters, with a star after required ones.
    static func list(_ names: [String], of endpoint: EndpointDescription) -> String {
        let shown = names.prefix(20).map { endpoint[parameter: $0]?.isRequired == true ? "\($0)*" : $0 }
        let rest = names.count > 20 ? ", and \(names.count - 20) more" : ""
        let star = shown.contains { $0.utf8.last == UInt8(ascii: "*") } ? " (* required)" : ""
        return shown.joined(separator: ", ") + rest + star
    }
}
