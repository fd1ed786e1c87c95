// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What a stub transport answers to which method and path; the first route that fits is taken.
///
/// Patterns are those of ``Routes``: `/posts/:id`, `/files/*`.
public struct StubRoutes: Sendable {
    /// What a route answers with.
    public typealias Respond = @Sendable (StubRequest) async throws -> StubAnswer

    struct Route: Sendable {
        var method: HTTPRequest.Method?
        var pattern: RoutePattern
        var name: String
        var respond: Respond
    }

    private(set) var routes: [Route] = []

    /// Answers a method (any method where it is `nil`) on a path pattern with what a closure says.
    public mutating func on(_ method: HTTPRequest.Method?, _ pattern: String, _ respond: @escaping Respond) {
        let name = "\(method?.rawValue ?? "*") \(pattern)"
        routes.append(Route(method: method, pattern: RoutePattern(pattern), name: name, respond: respond))
    }

    /// Answers a method on a path pattern with these answers in turn; the last of them stays.
    public mutating func on(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        _ first: StubAnswer,
        _ more: StubAnswer...
    ) {
        let sequence = StubSequence([first] + more)
        on(method, pattern) { _ in sequence.next() ?? first }
    }

    /// Answers a method by its name on a path pattern; nobody asks for one that is not a token.
    public mutating func on(_ method: String, _ pattern: String, _ respond: @escaping Respond) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        on(method, pattern, respond)
    }

    /// Answers a method by its name on a path pattern with these answers in turn; the last of them stays.
    public mutating func on(_ method: String, _ pattern: String, _ first: StubAnswer, _ more: StubAnswer...) {
        let sequence = StubSequence([first] + more)
        on(method, pattern) { _ in sequence.next() ?? first }
    }

    func route(for method: HTTPRequest.Method, _ path: String) -> (respond: Respond, parameters: [String: String])? {
        for route in routes where route.method == nil || route.method == method {
            if let parameters = route.pattern.match(path) { return (route.respond, parameters) }
        }
        return nil
    }
}
