// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The parts of a request that must match a recorded one; secrets are not among them.
struct RecordedRequestKey: Sendable, Hashable {
    let method: String
    let url: String
    /// The chosen fields, in the order of their names.
    let fields: [Field]
    /// The body; `nil` if it needn't match.
    let body: RecordedBody?

    struct Field: Sendable, Hashable {
        let name: String
        let value: String?
    }

    init(method: String, url: String, _ headers: HTTPFields, body: RecordedBody, _ options: RecordingOptions) {
        self.method = method
        self.url = RecordedURL.comparable(url, options) ?? url
        let names = options.matchedFields.filter {
            !SecretRedaction.isSecret($0.canonicalName) && !options.hides($0.canonicalName)
        }
        fields = names.sorted { $0.canonicalName < $1.canonicalName }.map { name in
            let values = headers[values: name].joined(separator: ", ")
            let shown = SecretRedaction.value(values, of: name.canonicalName, hiding: options.hides)
            return Field(name: name.canonicalName, value: headers.contains(name) ? shown : nil)
        }
        self.body = options.matchesBodies ? RecordedRequestKey.screened(body, headers) : nil
    }

    /// A body without its secrets: another program may have written them to the file.
    private static func screened(_ body: RecordedBody, _ headers: HTTPFields) -> RecordedBody {
        guard let bytes = body.bytes else { return body }
        let type = headers[.contentType].flatMap { MediaType($0) }
        guard let shown = BodyScreening.screened(bytes, of: type) else { return .omitted("secret") }
        return shown.isEmpty ? .empty : .binary(shown)
    }
}

/// URLs in recordings.
enum RecordedURL {
    /// The placeholder of a secret, which is valid in every URL.
    static let mark = "redacted"

    /// The URL in the form in which it is compared, without secrets; `nil` if it is not an http or https URL.
    static func comparable(_ url: String, _ options: RecordingOptions) -> String? {
        guard let parsed = try? RequestURL(String(url.before("#"))) else { return nil }
        return shown("\(parsed)", options)
    }

    /// A URL without its secrets.
    static func shown(_ url: String, _ options: RecordingOptions) -> String {
        SecretRedaction.url(url, mark: mark, hiding: options.hides)
    }
}
