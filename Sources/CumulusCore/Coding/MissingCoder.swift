// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A type that needs its own coder, without which a request fails instead of sending JSON.
public protocol NeedsCoder {
    /// The remedy for a missing coder, in words that follow a semicolon: `import X, and register ...`.
    static var missingCoder: String { get }
}

/// The errors that say which coder is missing.
enum MissingCoder {
    /// The error for a media type for which no coder is registered, nor one for the type.
    static func problem(for mediaType: MediaType, type: any Any.Type) -> CodingProblem {
        let hint = mediaType.isOfFormats ? "; \(formats)" : ""
        return CodingProblem("no coder is registered for \(mediaType.essence), nor for \(type)\(hint)")
    }

    /// The error instead of taking a value or a body for JSON; `nil` if it may be.
    static func problem(for type: any Any.Type, labeled mediaType: MediaType?) -> CodingProblem? {
        if let needing = type as? any NeedsCoder.Type {
            return CodingProblem("no coder is registered for \(type); \(needing.missingCoder)")
        }
        return mediaType.flatMap { $0.isOfFormats ? problem(for: $0, type: type) : nil }
    }

    private static let formats =
        "for XML and property lists, import CumulusFormats: `$0.coders.registerFormats()`"
}

extension MediaType {
    /// Whether it is XML or a property list.
    fileprivate var isOfFormats: Bool {
        essence == "application/xml" || essence == "text/xml" || subtype.ends(with: "+xml")
            || subtype.ends(with: "+plist") || ["x-plist", "x-apple-plist", "x-bplist"].contains(subtype)
    }
}
