// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// The responses of a loopback server by method and path; the first matching route is used.
///
/// A pattern has literal segments, `:name` or `{name}` for one segment, `{name}.json` for a part of one, and `*` at the
/// end for the remaining segments: `/posts/:id`, `/posts/{id}.json`, `/files/*`. A GET route also handles HEAD, without
/// its body.
public struct Routes: Sendable {
    /// A route's handler.
    public typealias Respond = @Sendable (ServerRequest) async throws -> ServerResponse
    /// The handler of a route that reads the request's body as it arrives.
    public typealias RespondStreaming = @Sendable (ServerRequest, IncomingBody) async throws -> ServerResponse

    /// How a request's body is treated.
    public enum BodyUse: Sendable {
        /// The body is read completely before the handler runs.
        case collected
        /// The body is discarded after the response is sent, so that the response arrives early.
        case discarded
        /// The body is never read: back-pressure stops the sender, and the connection is closed after the response.
        case unread
    }

    enum Action: Sendable {
        case respond(BodyUse, Respond)
        case stream(RespondStreaming)
    }

    struct Route: Sendable {
        var method: HTTPRequest.Method?
        var pattern: PathPattern
        var action: Action
    }

    enum Lookup {
        case found(Action, parameters: [String: String])
        case otherMethods([HTTPRequest.Method])
        case nothing
    }

    private var routes: [Route] = []

    /// Creates a table without routes, which responds to everything with 404.
    public init() {}

    /// Handles a method (any method if it is `nil`) on a path pattern.
    public mutating func on(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        body: BodyUse = .collected,
        _ respond: @escaping Respond
    ) {
        routes.append(Route(method: method, pattern: PathPattern(pattern), action: .respond(body, respond)))
    }

    /// Handles a method (any method if it is `nil`) while the request's body is still arriving.
    public mutating func onStream(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        _ respond: @escaping RespondStreaming
    ) {
        routes.append(Route(method: method, pattern: PathPattern(pattern), action: .stream(respond)))
    }

    /// Handles a method by its name on a path pattern; a name that is not a token never matches.
    public mutating func on(
        _ method: String,
        _ pattern: String,
        body: BodyUse = .collected,
        _ respond: @escaping Respond
    ) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        on(method, pattern, body: body, respond)
    }

    /// Handles a method by its name while the request's body is still arriving; a name that is not a token never
    /// matches.
    public mutating func onStream(_ method: String, _ pattern: String, _ respond: @escaping RespondStreaming) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        onStream(method, pattern, respond)
    }

    /// Handles GET, and HEAD unless a HEAD route comes first.
    public mutating func get(_ pattern: String, _ respond: @escaping Respond) { on(.get, pattern, respond) }

    /// Handles POST.
    public mutating func post(_ pattern: String, _ respond: @escaping Respond) { on(.post, pattern, respond) }

    /// Handles PUT.
    public mutating func put(_ pattern: String, _ respond: @escaping Respond) { on(.put, pattern, respond) }

    /// Handles PATCH.
    public mutating func patch(_ pattern: String, _ respond: @escaping Respond) { on(.patch, pattern, respond) }

    /// Handles DELETE.
    public mutating func delete(_ pattern: String, _ respond: @escaping Respond) { on(.delete, pattern, respond) }

    /// Adds another table's routes after this one's.
    public mutating func append(_ other: Routes) { routes += other.routes }

    func lookup(_ method: HTTPRequest.Method, _ path: String) -> Lookup {
        var others: [HTTPRequest.Method] = []
        for route in routes {
            guard let parameters = route.pattern.match(path) else { continue }
            guard let wanted = route.method, wanted != method, !(method == .head && wanted == .get) else {
                return .found(route.action, parameters: parameters)
            }
            if !others.contains(wanted) { others.append(wanted) }
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }
}
