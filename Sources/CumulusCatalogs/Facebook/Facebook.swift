// SPDX-License-Identifier: Apache-2.0

public import Cumulus

/// Facebook's first interface, of 2009, as CocoaREST's sources spoke it: signed by the MD5 of the sorted parameters.
///
/// **That interface is gone**; today's is another. The tasks are tested against our own server.
///
///     let app = Facebook(at: "https://book.example", key: "a1", secret: secret)
///     let login = try await app.loginURL()           // open it; then
///     let session = try await app.finishLogin(login.token)
///     let friends = try await app.with(session).friends()
///
/// Of CocoaREST's tasks only `GetPublicTimeline` is missing: it named no method there either, and could not work.
public struct Facebook: CataloguedService {
    /// The service that makes the requests.
    public var service: Service
    private let application: Application?

    /// Whom the signatures are of.
    private struct Application {
        let key: String
        let secret: Secret<String>
        let version: String
    }

    /// Takes a service that has the tasks of ``definition``, and signs its requests itself.
    ///
    /// Calls have to give `apiKey` then; see ``init(at:key:secret:version:transport:)``.
    public init(_ service: Service) {
        self.service = service
        application = nil
    }

    /// Makes an application's interface.
    ///
    /// - Parameters:
    ///   - url: Where the service is.
    ///   - key: The application's key, which goes out with each request.
    ///   - secret: Its secret, which signs them until somebody is logged in.
    ///   - version: Which version of the interface is wanted.
    ///   - transport: The transport for the requests.
    public init(
        at url: some Locator,
        key: String,
        secret: Secret<String>,
        version: String = "1.0",
        transport: any Transport = DefaultTransport.shared
    ) {
        let application = Application(key: key, secret: secret, version: version)
        let definition = Facebook.definition.moved(to: url.locatorText).giving([
            "apiKey": .string(key), "version": .string(version),
        ])
        service = Service(definition, transport: transport)
        service.authorizers.append(.sortedParameters(secret: secret))
        self.application = application
    }

    /// The same interface for somebody who is logged in; this one is not changed.
    ///
    /// Settings and hooks stay.
    public func with(_ session: Session) -> Facebook {
        var facebook = self
        let resource = service.resource.with { settings in
            settings.authorizers = .replacing([.sortedParameters(secret: session.secret)])
        }
        facebook.service = Service(service.definition.giving(["sessionKey": .string(session.key)]), on: resource)
        facebook.service.hooks = service.hooks
        guard let application else { return facebook }
        // Whoever logs in again is signed for by the application.
        facebook.service.hooks.append { request in
            guard Facebook.loginTasks.contains(request.endpoint.name) else { return }
            request.resource.authorizers = .replacing([.sortedParameters(secret: application.secret)])
        }
        return facebook
    }
}

extension ServiceDescription {
    /// The same service, whose parameters of these names have a value where a call gives none.
    fileprivate func giving(_ values: [String: JSON]) -> ServiceDescription {
        var service = self
        for task in service.endpoints.indices {
            for index in service.endpoints[task].parameters.indices {
                let name = service.endpoints[task].parameters[index].name
                if let value = values[name] { service.endpoints[task].parameters[index].defaultValue = value }
            }
        }
        return service
    }
}
