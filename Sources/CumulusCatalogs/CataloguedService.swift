// SPDX-License-Identifier: Apache-2.0

public import Cumulus

/// A service that is described here, with typed calls for its tasks.
///
///     let mastodon = Mastodon(at: "https://mastodon.example")
///     let statuses = try await mastodon.publicTimeline()
///     let same = try await mastodon.service.call("GetPublicTimeline", as: [Mastodon.Status].self)
///
/// Each typed call has the task of the same name in ``definition``. Settings, credentials, hooks, the quota and calls by
/// name are those of ``service``: `mastodon.service.timeout = .seconds(20)`.
public protocol CataloguedService: Sendable {
    /// The service as data, at the addresses that it has, or had.
    static var definition: ServiceDescription { get }
    /// How its lists are paged.
    static var paging: PagingRule { get }
    /// Who makes the requests.
    var service: Service { get set }
    /// Takes a service that has the tasks of ``definition``.
    init(_ service: Service)
}

extension CataloguedService {
    /// Whatever the answers have.
    public static var paging: PagingRule { .automatic }

    /// Puts the service at a base URL: that of an instance, of your own server, or of a test.
    ///
    /// All of its servers are there, also those that have another name in ``definition``.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, as a string or as `URL`; an invalid one makes calls throw.
    ///   - transport: The transport for the requests.
    public init(at url: some Locator, transport: any Transport = DefaultTransport.shared) {
        var definition = Self.definition.moved(to: url.locatorText)
        if definition.paging == nil { definition.paging = Self.paging }
        self.init(Service(definition, transport: transport))
    }

    /// The same service with settings for a few calls; this one is not changed.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Settings) throws -> Void
    ) rethrows -> Self {
        var other = self
        other.service = try service.with(fileID: fileID, line: line, edit)
        return other
    }
}

extension ServiceDescription {
    /// How many tasks of a manager CocoaREST ran at once.
    static let usualTaskLimit = 12

    /// The same service with all of its servers at one URL.
    func moved(to url: String) -> ServiceDescription {
        var moved = self
        moved.servers = servers.map { ServiceServer(url, name: $0.name) }
        return moved
    }
}
