// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPFields {
    /// A field by its name as a string: `response.headers["ETag"]`, `request.headers["X-Trace"] = id`.
    ///
    /// Several values are joined by a comma; `nil` means no value. Invalid fields are neither dropped nor changed: a
    /// name that is not a token, or a value with a control character, makes the request throw
    /// ``CumulusError/Code/invalidHeader``.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let newValue else {
                if let known = HTTPField.Name(name) { self[known] = nil }
                return
            }
            do {
                let fields = try ([Headers.Name(name): newValue] as Headers).fields()
                if let field = fields.first { self[field.name] = field.value }
            } catch {
                append(.malformed(error))
            }
        }
    }

    /// Adds a field unless one of its name exists.
    mutating func addIfMissing(_ field: HTTPField) {
        if !contains(field.name) { append(field) }
    }

    /// Why a field couldn't be stored.
    package var malformation: Headers.Malformation? {
        isEmpty ? nil : self[.malformation].map { Headers.Malformation(String($0.unicodeScalars.dropFirst())) }
    }

    /// The name of the request's method, if it couldn't be stored.
    var malformedMethod: String? { self[.malformedMethod].map { String($0.unicodeScalars.dropFirst()) } }
}

extension HTTPField {
    /// Whether it stands for a field that couldn't be stored.
    var isMalformed: Bool { name == .malformation }

    /// Stands for a field that can't be stored.
    static func malformed(_ malformation: Headers.Malformation) -> HTTPField {
        HTTPField(name: .malformation, lenientValue: Array("\u{1}\(malformation.description)".utf8))
    }

    /// Stands for a method that can't be stored.
    static func malformed(method name: String) -> HTTPField {
        HTTPField(name: .malformedMethod, lenientValue: Array("\u{1}\(name)".utf8))
    }
}

extension HTTPField.Name {
    /// Stands for a field that can't be stored; its value has a control character, so that it is never sent.
    fileprivate static let malformation = HTTPField.Name("Cumulus-Malformed-Field") ?? .te
    /// Stands for a method that can't be stored, in the same way.
    fileprivate static let malformedMethod = HTTPField.Name("Cumulus-Malformed-Method") ?? .te
}
