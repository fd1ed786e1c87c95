// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Returns the query as it is sent, without its `?`; `nil` if nothing is sent.
    public func encoded(_ style: QueryStyle = QueryStyle()) -> String? {
        var writer = QueryWriter(style: style) { PercentEncoding.encode($0) }
        write(to: &writer)
        return writer.result
    }

    private func write(to writer: inout QueryWriter) {
        for item in items {
            if let verbatim = item.verbatim {
                writer.append(verbatim)
            } else if let value = item.value {
                writer.append(value, named: writer.escape(item.name))
            }
        }
    }
}

extension Query: Redacted {
    /// The names, with each value redacted, since a value may be a token.
    public var description: String { QueryKey.describe(self) }

    /// The query as plain text including values, `foo[]=1&foo[]=2`: for reading, not for sending.
    public var plainText: String {
        var writer = QueryWriter(style: QueryStyle(sendsLiteralBrackets: true)) { $0 }
        write(to: &writer)
        return writer.result ?? ""
    }
}

/// Writes names and values of a query, flattening nested ones.
struct QueryWriter {
    private let style: QueryStyle
    private let open: String
    private let close: String
    private var output = ""
    private var isEmpty = true
    /// Escapes the text of a name or value.
    let escape: (String) -> String

    init(style: QueryStyle, escape: @escaping (String) -> String) {
        self.style = style
        self.escape = escape
        (open, close) = style.sendsLiteralBrackets ? ("[", "]") : ("%5B", "%5D")
    }

    /// The text that was written; `nil` if there is none.
    var result: String? { isEmpty ? nil : output }

    /// Writes an encoded item.
    mutating func append(_ item: String) {
        if !isEmpty { output += "&" }
        isEmpty = false
        output += item
    }

    /// Writes a value under an escaped name.
    mutating func append(_ value: QueryValue, named name: String) {
        switch value {
        case .text, .bool: append("\(name)=\(text(of: value) ?? "")")
        case .list(let values): append(values, named: name)
        case .map(let members):
            for member in members { append(member.value, named: name + open + escape(member.name) + close) }
        }
    }

    private mutating func append(_ values: [QueryValue], named name: String) {
        switch style.arrays {
        case .brackets where !values.isNested: for value in values { append(value, named: name + open + close) }
        case .repeated where !values.isNested: for value in values { append(value, named: name) }
        case .commas where !values.isNested:
            let texts = values.compactMap { text(of: $0) }
            if !texts.isEmpty { append("\(name)=\(texts.joined(separator: ","))") }
        case .indexed, .brackets, .repeated, .commas:
            for (index, value) in values.enumerated() { append(value, named: "\(name)\(open)\(index)\(close)") }
        }
    }

    /// The escaped text of a single value; `nil` for lists and named members.
    private func text(of value: QueryValue) -> String? {
        if case .bool(let value) = value, style.booleans == .numeric { return value ? "1" : "0" }
        return value.string.map(escape)
    }
}
