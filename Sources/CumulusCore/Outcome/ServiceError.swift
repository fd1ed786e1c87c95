// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An error that a service reports in JSON, read by ``ErrorDecoder/jsonMember(_:)``.
public struct ServiceError: Error, Sendable, Hashable {
    /// The service's code for the error; a number is written as text.
    public let code: String?
    /// The service's message.
    public let message: String?
    /// The whole body.
    public let body: JSON

    /// Creates an error from the first of these members; `nil` if the body is not a JSON object or has no such member.
    init?(in response: Response, members: [String]) {
        guard response.isBodyComplete, response.mediaType?.isJSON ?? true,
            // The first byte is enough to reject most bodies that are not objects.
            response.bytes.withUnsafeBytes({ $0.first { $0 > 0x20 } == UInt8(ascii: "{") }),
            let body = try? JSON(body: response.bytes, of: response.mediaType)
        else { return nil }
        self.init(in: body, members: members)
    }

    /// Creates an error from a body that has been read, as ``ErrorDecoder/jsonMember(_:)`` does; `nil` if the body is not
    /// a JSON object or lacks all of the members.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - members: The names of the members, of which the first present one is used; an empty list is not present.
    public init?(in body: JSON, members: [String]) {
        let present = members.lazy.map { body[$0] }.first { !$0.isNull && $0 != false && $0.array?.isEmpty != true }
        guard let member = present else { return nil }
        self.body = body
        // If the member is a list, as in GraphQL, the first error is used.
        let list = member.array
        let found = list?.first ?? member
        let nextToIt = ["error_description", "error_message", "error_msg", "message", "detail"]
        // Either the member contains everything, or it is the code or the message, and the other one is next to it.
        if found.object != nil {
            let names = ["code", "error_code", "type", "status"]
            code =
                ServiceError.text(of: names, in: found["extensions"]) ?? ServiceError.text(of: names, in: found)
            let own = ServiceError.text(of: ["message", "detail", "description", "title"], in: found)
            // As of a form's errors, which are listed by field.
            message = own ?? ServiceError.text(of: nextToIt, in: body)
        } else {
            code = list == nil ? ServiceError.text(found) : nil
            message = ServiceError.text(of: nextToIt, in: body) ?? found.string
        }
    }

    private static func text(of names: [String], in json: JSON) -> String? {
        names.lazy.compactMap { text(json[$0]) }.first
    }

    private static func text(_ json: JSON) -> String? { json.string ?? json.number?.text }
}

extension ServiceError: Redacted {
    /// The code and the message, as the service sent them.
    public var description: String {
        let said = [code, message].compactMap { $0.map { PeerText.printable($0) } }
        return said.isEmpty
            ? "an error without a code" : (said.first == said.last ? said[0] : said.joined(separator: ": "))
    }
}

extension CumulusError {
    /// The problem details in the response's body (RFC 9457), for any code; `nil` if the body contains none.
    public var problem: ProblemDetails? { response?.problem }

    /// Returns the error that an ``ErrorDecoder`` found in the response, for ``Code/service``; `nil` if it has a
    /// different type.
    ///
    /// - Parameter type: The type that the decoder returns: your own, ``ServiceError``, ``ProblemDetails``.
    /// - Returns: The error.
    public func serviceError<Failure: Error>(as type: Failure.Type = ServiceError.self) -> Failure? {
        code == .service ? cause as? Failure : nil
    }
}
