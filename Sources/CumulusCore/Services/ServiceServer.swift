// SPDX-License-Identifier: Apache-2.0

/// One of a service's base URLs: for production, for tries.
public struct ServiceServer: Sendable, Hashable {
    /// What it is called among the service's servers; may be empty if there is one only.
    public var name: String
    /// The URL below which the endpoints are.
    public var url: String
    /// Whether a description that came from elsewhere names this server: it gets no credentials until the server is named.
    ///
    /// That is done by ``Service/init(_:server:transport:)`` with its name, by ``Service/at(server:)``, or by a base URL
    /// of yours. Set by ``OpenAPIDocument`` for servers on another origin than the document's.
    public var isForeign = false

    /// Names a base URL.
    public init(_ url: some Locator, name: String = "") {
        self.url = url.locatorText
        self.name = name
    }
}

extension ServiceServer: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Takes a URL.
    public init(stringLiteral url: String) { self.init(url) }

    /// The name, if there is one, and the URL.
    public var description: String { name.isEmpty ? url : "\(name) (\(url))" }
}
