// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A server's description of an error in `application/problem+json` (RFC 9457).
///
/// The server determines all values: the status is only advisory, and the descriptions are for human readers.
public struct ProblemDetails: Error, Sendable, Hashable {
    /// The kind of problem: a URI, possibly relative to the request's; `about:blank` if the server sent none.
    public var type = "about:blank"
    /// A short description of this kind of problem, the same for each occurrence.
    public var title: String?
    /// The status that the server intended to send.
    public var status: Int?
    /// The details of this occurrence.
    public var detail: String?
    /// A URI for this occurrence, possibly relative to the request's.
    public var instance: String?
    /// All other members.
    public var extensions = JSON.Object()

    /// Creates an empty problem.
    public init() {}

    /// Creates a problem from JSON; `nil` if it is not an object.
    ///
    /// A member of the wrong type is ignored, as RFC 9457 section 3.1 requires.
    public init?(_ json: JSON) {
        guard let members = json.object else { return nil }
        for (name, value) in members {
            switch name {
            case "type": type = value.string ?? type
            case "title": title = value.string
            case "status": status = value.int
            case "detail": detail = value.string
            case "instance": instance = value.string
            default: extensions[name] = value
            }
        }
    }

    /// The problem as JSON.
    public var json: JSON {
        var members = JSON.Object()
        members["type"] = .string(type)
        members["title"] = title.map(JSON.string)
        members["status"] = status.map { .number(JSON.Number($0)) }
        members["detail"] = detail.map(JSON.string)
        members["instance"] = instance.map(JSON.string)
        for (name, value) in extensions where members[name] == nil { members[name] = value }
        return .object(members)
    }

    /// An extension member; `null` if it is missing.
    public subscript(name: String) -> JSON { extensions[name] ?? .null }
}

extension ProblemDetails: Codable {
    /// Decodes a problem.
    ///
    /// - Throws: `DecodingError` if the value is not an object.
    public init(from decoder: any Decoder) throws {
        guard let problem = ProblemDetails(try JSON(from: decoder)) else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "Problem details must be an object."
            )
            throw DecodingError.dataCorrupted(context)
        }
        self = problem
    }

    /// Encodes the problem.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ProblemDetails: Redacted {
    /// The title and detail, or the type if both are missing.
    public var description: String {
        let said = [title, detail].compactMap { $0.map { PeerText.printable($0) } }
        return said.isEmpty ? PeerText.printable(type) : said.joined(separator: ": ")
    }
}

extension MediaType {
    /// `application/problem+json`.
    public static let problemJSON = MediaType("application", "problem+json")
}

extension Response {
    /// The body as problem details; `nil` if its type is not `application/problem+json`, or it is invalid.
    public var problem: ProblemDetails? {
        guard mediaType?.essence == MediaType.problemJSON.essence else { return nil }
        return (try? JSON(body: bytes, of: mediaType)).flatMap(ProblemDetails.init)
    }
}
