// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// The format of an endpoint's response, for the `Accept` of its requests.
///
/// The coder for a response is chosen by the requested type and the response's media type.
public enum EndpointResponseFormat: Sendable, Hashable {
    /// JSON.
    case json
    /// XML.
    case xml
    /// Text.
    case text
    /// An image.
    case image
    /// Bytes of any kind.
    case data
    /// A body of this type.
    case media(MediaType)
}

extension EndpointResponseFormat: RawRepresentable {
    /// Creates a format from `json`, `xml`, `text`, `image`, `data`, or a media type; `nil` for anything else.
    public init?(rawValue text: String) {
        switch text {
        case "json": self = .json
        case "xml": self = .xml
        case "text": self = .text
        case "image": self = .image
        case "data": self = .data
        default:
            guard let type = MediaType(text) else { return nil }
            self = .media(type)
        }
    }

    /// The format as written in a description.
    public var rawValue: String {
        switch self {
        case .json: "json"
        case .xml: "xml"
        case .text: "text"
        case .image: "image"
        case .data: "data"
        case .media(let type): type.description
        }
    }

    /// The `Accept` of requests.
    var accept: String {
        switch self {
        case .json: "application/json"
        case .xml: "application/xml, text/xml"
        case .text: "text/*"
        case .image: "image/*"
        case .data: "*/*"
        case .media(let type): type.description
        }
    }
}
