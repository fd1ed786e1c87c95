// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// One of a service's base URLs, for example for production or for testing.
public struct ServiceServer: Sendable, Hashable {
    /// The server's name in the description; may be empty if there is only one.
    public var name: String
    /// The base URL of the endpoints.
    public var url: String
    /// Whether a description from a different origin names this server, in which case it receives no credentials until
    /// you name it.
    ///
    /// To name it, use ``Service/init(_:server:transport:)``, ``Service/at(server:)``, or your own base URL.
    /// ``OpenAPIDocument`` sets this for servers at an origin other than the document's.
    public var isThirdParty = false

    /// Creates a server with a base URL.
    public init(_ url: some Locator, name: String = "") {
        self.url = url.locatorText
        self.name = name
    }
}

extension ServiceServer: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a server from a URL.
    public init(stringLiteral url: String) { self.init(url) }

    /// The name, if there is one, and the URL.
    public var description: String { name.isEmpty ? url : "\(name) (\(url))" }
}
