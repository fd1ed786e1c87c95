// SPDX-License-Identifier: Apache-2.0

extension URITemplate {
    /// Whether the template is a whole URL.
    var isAbsolute: Bool {
        let start = text.before("/", "{", "?").lowercased()
        return start == "http:" || start == "https:"
    }

    /// The origin that a whole URL begins with, and the template of what stands behind it.
    ///
    /// - Returns: `nil` if the origin isn't written out: a value could change it.
    func dividedAtOrigin() -> (origin: String, path: URITemplate)? {
        guard isAbsolute, let start = text.place(of: "://")?.upperBound else { return nil }
        let authority = text[start...].before("/", "?", "#", "{")
        let rest = text[authority.endIndex...]
        let isWhole = !rest.begins(with: "{") || rest.begins(with: "{/") || rest.begins(with: "{?")
        guard !authority.isEmpty, isWhole else { return nil }
        return (String(text[..<authority.endIndex]), URITemplate(lenient: String(rest)))
    }
}
