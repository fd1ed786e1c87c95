// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The format of a body made from parameters.
public enum EndpointBodyFormat: Sendable, Hashable {
    /// A JSON object.
    case json
    /// A form, `application/x-www-form-urlencoded`.
    case form
    /// A form whose fields can be files, `multipart/form-data`.
    case multipart
    /// A body of this type, which the call passes as a whole.
    case media(MediaType)
}

extension EndpointBodyFormat: RawRepresentable {
    /// Creates a format from `json`, `form`, `multipart`, or a media type; `nil` for anything else.
    public init?(rawValue text: String) {
        switch text {
        case "json": self = .json
        case "form": self = .form
        case "multipart": self = .multipart
        default:
            guard let type = MediaType(text) else { return nil }
            self = .media(type)
        }
    }

    /// The format as written in a description.
    public var rawValue: String {
        switch self {
        case .json: "json"
        case .form: "form"
        case .multipart: "multipart"
        case .media(let type): type.description
        }
    }
}
