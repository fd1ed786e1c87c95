// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusCatalogs
public import CumulusServices

/// Facebook's first API, of 2009, as in CocoaREST's sources: signed with the MD5 of the sorted parameters.
///
/// **This API no longer exists**; today's is different. The tasks are tested against our own server.
///
///     let app = Facebook(at: "https://book.example", key: "a1", secret: secret)
///     let login = try await app.loginURL()           // open it; then
///     let session = try await app.finishLogin(login.token)
///     let friends = try await app.with(session).friends()
///
/// CocoaREST's tasks are complete except for `GetPublicTimeline`: it had no method there either, and could not work.
public struct Facebook: CatalogedService {
    /// The service that makes the requests.
    public var service: Service
    private let application: Application?

    /// The application that signs the requests.
    private struct Application {
        let key: String
        let secret: Secret<String>
        let version: String
    }

    /// Creates an interface from a service that has the tasks of ``definition`` and signs its requests itself.
    ///
    /// Calls then have to give `apiKey`; see ``init(at:key:secret:version:transport:)``.
    public init(_ service: Service) {
        self.service = service
        application = nil
    }

    /// Creates an application's interface.
    ///
    /// - Parameters:
    ///   - url: The service's URL.
    ///   - key: The application's key, which is sent with each request.
    ///   - secret: The application's secret, which signs requests until a user is logged in.
    ///   - version: The version of the API.
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
        service = service.with { $0.authorizers.append(.sortedParameters(secret: secret)) }
        self.application = application
    }

    /// The same interface for a logged-in user; this one doesn't change.
    ///
    /// Settings and hooks are kept.
    public func with(_ session: Session) -> Facebook {
        var facebook = self
        let resource = service.resource.with { settings in
            settings.authorizers = .replacing([.sortedParameters(secret: session.secret)])
        }
        facebook.service = Service(service.definition.giving(["sessionKey": .string(session.key)]), on: resource)
        facebook.service.hooks = service.hooks
        guard let application else { return facebook }
        // For another login, the application signs the requests.
        facebook.service.hooks.append { request in
            guard Facebook.loginTasks.contains(request.endpoint.name) else { return }
            request.resource = request.resource.with {
                $0.authorizers = .replacing([.sortedParameters(secret: application.secret)])
            }
        }
        return facebook
    }
}

extension ServiceDescription {
    /// The same service with default values for parameters of these names.
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
