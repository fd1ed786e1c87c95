// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// A parameter of an endpoint.
public struct EndpointParameter: Sendable, Hashable {
    /// The location of a value in the request.
    public enum Place: String, Sendable, Hashable, CaseIterable {
        /// A variable of the template, in any part of the template.
        case path
        /// A query item.
        case query
        /// A header field.
        case header
        /// A cookie of this request; it isn't stored in a jar.
        case cookie
        /// A member of the body's object, a field of its form, or one of its parts.
        case body
    }

    /// The kind of a value, by which a command line's text is parsed and ``ServiceDescription/verify()`` checks it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Any value; a string stays a string.
        case any
        /// A string.
        case text
        /// A whole number.
        case integer
        /// A number.
        case number
        /// True or false.
        case boolean
        /// Several values; in a string, they are separated by commas.
        case list
        /// Values by name; in a string, they are a JSON object.
        case map
        /// A file; a string is its path.
        case file
    }

    /// The parameter's name in calls.
    public var name: String
    /// The part of the request that contains the value.
    public var place: Place
    /// The service's name for the parameter; `nil` if it is ``name``.
    ///
    /// A template's variable always has its name in the template.
    public var field: String?
    /// The kind of the parameter's value.
    public var kind: Kind
    /// The style of a list or a map; `nil` means the query's style, commas in a header field, and JSON in a part.
    ///
    /// It has no effect in a template or in a JSON body, except that ``Style/json`` writes a variable's value as JSON.
    public var style: Style?
    /// Whether a call without this parameter is refused.
    public var isRequired: Bool
    /// The value that is sent if a call provides none; `nil` if there is no default.
    public var defaultValue: JSON?
    /// The strings that the service accepts; empty if it accepts any.
    public var allowedValues: [String]
    /// The parameter's purpose, in a sentence.
    public var summary: String?

    /// Creates a parameter.
    public init(
        _ name: String,
        in place: Place = .query,
        field: String? = nil,
        kind: Kind = .any,
        style: Style? = nil,
        required isRequired: Bool = false,
        default defaultValue: JSON? = nil,
        allowed allowedValues: [String] = [],
        summary: String? = nil
    ) {
        self.name = name
        self.place = place
        self.field = field
        self.kind = kind
        self.style = style
        self.isRequired = isRequired
        self.defaultValue = defaultValue
        self.allowedValues = allowedValues
        self.summary = summary
    }

    /// The service's name for the parameter.
    public var sentName: String { field ?? name }
}

extension EndpointParameter: ExpressibleByStringLiteral {
    /// Creates an optional query item.
    public init(stringLiteral name: String) { self.init(name) }
}
