// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A link in a response's `Link` field (RFC 8288): `<https://api.example.com/posts?page=2>; rel="next"`.
///
///     if let next = response.links["next"] { response = try await posts.follow(next).get() }
public struct WebLink: Sendable, Hashable {
    /// One parameter of a link.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case: `hreflang`, `title*`.
        public let name: String
        /// The value without quotes and escapes.
        public let value: String
    }

    /// The target as it was written.
    public let target: String
    /// The target's URL, resolved against the URL of the request; `nil` if it is not an http or https URL.
    public let url: RequestURL?
    /// The target's relations to the response: `next`, `prev`, `describedby`, or a URI.
    ///
    /// They are in lower case; the list is empty if the link has no relations.
    public let relations: [String]
    /// The parameters in order, including ``relations``.
    ///
    /// If a parameter that may occur only once is repeated, only its first value is included.
    public let parameters: [Parameter]
    /// Whether the link's `anchor` makes it a link from a different resource, not from the response itself.
    public let startsElsewhere: Bool

    init(target: String, parameters: [Parameter], of base: RequestURL) {
        self.target = target
        self.parameters = parameters
        url = try? base.resolving(target)
        let relations = parameters.first { $0.name == "rel" }?.value ?? ""
        self.relations = relations.lowercased().parts(at: " ", omitsEmpty: true).map(String.init)
        let anchor = parameters.first { $0.name == "anchor" }?.value
        startsElsewhere = anchor.map { $0.has("#") || (try? base.resolving($0)) != base } ?? false
    }

    /// A parameter's value by its name; `nil` if it is missing.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The target's title: `title*`, otherwise `title`.
    public var title: String? { self["title*"] ?? self["title"] }

    /// The expected media type of the target.
    public var type: MediaType? { self["type"].flatMap { MediaType(parsing: $0) } }
}

extension WebLink: Locator {
    /// The link's URL, or its target if that isn't an http or https URL.
    public var locatorText: String { url?.description ?? target }
}

extension WebLink: CustomStringConvertible {
    /// The relations and the URL, without the values of its query.
    public var description: String {
        "\(PeerText.printable(relations.joined(separator: " "))): \(url?.redacted ?? PeerText.printable(target))"
    }
}

extension [WebLink] {
    /// The first link from the response itself with a relation: `links["next"]`; `nil` if it is missing.
    ///
    /// Links whose `anchor` is a different resource are ignored.
    public subscript(relation: String) -> WebLink? {
        let relation = relation.lowercased()
        return first { !$0.startsElsewhere && $0.relations.contains(relation) }
    }
}
