// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The content codings that a request accepts (RFC 9110 section 12.5.3).
///
/// A request without `Accept-Encoding` accepts none here, since its call doesn't decode any.
struct AcceptedCodings: Sendable, Hashable {
    private var accepted: Set<String> = []
    private var refused: Set<String> = []
    private var acceptsOthers = false

    init(_ request: HTTPFields) {
        for line in request[values: .acceptEncoding] {
            for member in line.parts(at: ",") {
                let parts = member.parts(at: ";").map(\.trimmed)
                guard let first = parts.first, !first.isEmpty else { continue }
                let isRefused = parts.dropFirst().contains { AcceptedCodings.isZero($0.lowercased()) }
                let name = CodingNames.plain(first.lowercased())
                if name == "*" {
                    acceptsOthers = !isRefused
                } else if isRefused {
                    refused.insert(name)
                } else {
                    accepted.insert(name)
                }
            }
        }
    }

    /// Whether the request accepts all of a response's codings.
    func contain(_ codings: [String]) -> Bool {
        codings.allSatisfy { accepted.contains($0) || acceptsOthers && !refused.contains($0) }
    }

    /// Whether a parameter is a weight of 0: `q=0`, `q=0.000`.
    private static func isZero(_ parameter: String) -> Bool {
        guard let (name, weight) = parameter.cut(at: "="), name.trimmed == "q" else { return false }
        let digits = weight.trimmed
        return !digits.isEmpty && digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}

/// The names of content codings in fields.
enum CodingNames {
    /// The codings of a body, in lower case, without those that stand for no coding.
    static func of(_ fields: HTTPFields) -> [String] {
        guard fields.contains(.contentEncoding) else { return [] }
        return fields[values: .contentEncoding].flatMap { $0.parts(at: ",") }
            .map { plain($0.trimmed.lowercased()) }
            .filter { !$0.isEmpty && !none.contains($0) }
    }

    /// The preferred name of a coding with two names (RFC 9110 section 8.4.1).
    static func plain(_ name: String) -> String {
        switch name {
        case "x-gzip": "gzip"
        case "x-compress": "compress"
        default: name
        }
    }

    /// As in `ContentDecoding`: `none` is not registered, and `aws-chunked` is the framing of an upload.
    private static let none: Set<String> = ["identity", "none", "aws-chunked"]
}
