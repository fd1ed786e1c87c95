// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What a loopback server answers to which method and path; the first route that fits is taken.
///
/// A pattern is literal segments, `:name` or `{name}` for one segment, `{name}.json` for a part of one, and `*` at the end
/// for all that is left: `/posts/:id`, `/posts/{id}.json`, `/files/*`. A GET route answers HEAD too, without its body.
public struct Routes: Sendable {
    /// What a route answers with.
    public typealias Respond = @Sendable (ServerRequest) async throws -> ServerResponse
    /// What a route that reads its body as it arrives answers with.
    public typealias RespondStreaming = @Sendable (ServerRequest, IncomingBody) async throws -> ServerResponse

    /// What happens to a request's body.
    public enum BodyUse: Sendable {
        /// Read whole before the route is asked.
        case collected
        /// Thrown away after the answer is sent, so that the answer comes early.
        case discarded
        /// Never read: the sender is stopped by back-pressure; the connection is closed after the answer.
        case unread
    }

    enum Action: Sendable {
        case respond(BodyUse, Respond)
        case stream(RespondStreaming)
    }

    struct Route: Sendable {
        var method: HTTPRequest.Method?
        var pattern: RoutePattern
        var action: Action
    }

    enum Lookup {
        case found(Action, parameters: [String: String])
        case otherMethods([HTTPRequest.Method])
        case nothing
    }

    private var routes: [Route] = []

    /// Makes a table without routes: everything is 404.
    public init() {}

    /// Answers a method (any method where it is `nil`) on a path pattern.
    public mutating func on(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        body: BodyUse = .collected,
        _ respond: @escaping Respond
    ) {
        routes.append(Route(method: method, pattern: RoutePattern(pattern), action: .respond(body, respond)))
    }

    /// Answers a method (any method where it is `nil`) while the request's body is still coming in.
    public mutating func onStream(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        _ respond: @escaping RespondStreaming
    ) {
        routes.append(Route(method: method, pattern: RoutePattern(pattern), action: .stream(respond)))
    }

    /// Answers a method by its name on a path pattern; nobody asks for one that is not a token.
    public mutating func on(
        _ method: String,
        _ pattern: String,
        body: BodyUse = .collected,
        _ respond: @escaping Respond
    ) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        on(method, pattern, body: body, respond)
    }

    /// Answers a method by its name while the request's body is still coming in; nobody asks for one that is not a token.
    public mutating func onStream(_ method: String, _ pattern: String, _ respond: @escaping RespondStreaming) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        onStream(method, pattern, respond)
    }

    /// Answers GET, and HEAD if no HEAD route comes before it.
    public mutating func get(_ pattern: String, _ respond: @escaping Respond) { on(.get, pattern, respond) }

    /// Answers POST.
    public mutating func post(_ pattern: String, _ respond: @escaping Respond) { on(.post, pattern, respond) }

    /// Answers PUT.
    public mutating func put(_ pattern: String, _ respond: @escaping Respond) { on(.put, pattern, respond) }

    /// Answers PATCH.
    public mutating func patch(_ pattern: String, _ respond: @escaping Respond) { on(.patch, pattern, respond) }

    /// Answers DELETE.
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
