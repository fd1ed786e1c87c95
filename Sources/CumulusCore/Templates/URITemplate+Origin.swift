// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension URITemplate {
    /// Whether the template is an absolute URL.
    public var isAbsolute: Bool {
        let start = text.before("/", "{", "?").lowercased()
        return start == "http:" || start == "https:"
    }

    /// The origin of an absolute URL, and the template of the rest.
    ///
    /// - Returns: `nil` if the origin isn't literal: a value could change it.
    public func dividedAtOrigin() -> (origin: String, path: URITemplate)? {
        guard isAbsolute, let start = text.place(of: "://")?.upperBound else { return nil }
        let authority = text[start...].before("/", "?", "#", "{")
        let rest = text[authority.endIndex...]
        let isWhole = !rest.begins(with: "{") || rest.begins(with: "{/") || rest.begins(with: "{?")
        guard !authority.isEmpty, isWhole else { return nil }
        return (String(text[..<authority.endIndex]), URITemplate(lenient: String(rest)))
    }
}
