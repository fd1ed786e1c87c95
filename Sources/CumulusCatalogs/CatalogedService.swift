// SPDX-License-Identifier: Apache-2.0

public import Cumulus
@_exported public import CumulusServices

/// A service that this module describes, with typed calls for its tasks.
///
///     let mastodon = Mastodon(at: "https://mastodon.example")
///     let statuses = try await mastodon.publicTimeline()
///     let same = try await mastodon.service.call("GetPublicTimeline", as: [Mastodon.Status].self).send()
///
/// Each typed call uses the task of the same name in ``definition``. Settings, credentials, hooks, the quota and calls
/// by name belong to ``service``: `mastodon.service.setRules { $0.timeout = .seconds(20) }`.
public protocol CatalogedService: Sendable {
    /// The service's description, with its current or former addresses.
    static var definition: ServiceDescription { get }
    /// The paging rule of the service's lists.
    static var paging: PagingRule { get }
    /// The service that makes the requests.
    var service: Service { get set }
    /// Creates a cataloged service from one that has the tasks of ``definition``.
    init(_ service: Service)
}

extension CatalogedService {
    /// Automatic paging, which is detected from the responses.
    public static var paging: PagingRule { .automatic }

    /// Creates the service at a base URL: that of an instance, of your own server, or of a test.
    ///
    /// This URL replaces the addresses of all of the service's servers, including those with a different name in
    /// ``definition``.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, as a string or as `URL`; with an invalid URL, calls throw.
    ///   - transport: The transport for the requests.
    public init(at url: some Locator, transport: any Transport = DefaultTransport.shared) {
        var definition = Self.definition.moved(to: url.locatorText)
        if definition.paging == nil { definition.paging = Self.paging }
        self.init(Service(definition, transport: transport))
    }

    /// Returns a copy of the service with settings for a few calls; this one doesn't change.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Settings) -> Void
    ) -> Self {
        var other = self
        other.service = service.with(fileID: fileID, line: line, edit)
        return other
    }
}

extension ServiceDescription {
    /// How many tasks CocoaREST's managers ran at once.
    package static let usualTaskLimit = 12

    /// The same service with all of its servers at one URL.
    package func moved(to url: String) -> ServiceDescription {
        var moved = self
        moved.servers = servers.map { ServiceServer(url, name: $0.name) }
        return moved
    }
}
