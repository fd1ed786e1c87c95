// SPDX-License-Identifier: Apache-2.0

import CumulusCore
public import HTTPTypes

/// The responses of a stub transport by method and path; the first matching route is used.
///
/// The patterns are the same as in `Routes`: `/posts/:id`, `/files/*`.
public struct StubRoutes: Sendable {
    /// A route's handler.
    public typealias Respond = @Sendable (StubRequest) async throws -> StubResponse

    struct Route: Sendable {
        var method: HTTPRequest.Method?
        var pattern: PathPattern
        var name: String
        var respond: Respond
    }

    private(set) var routes: [Route] = []

    /// Handles a method (any method if it is `nil`) on a path pattern with a closure.
    public mutating func on(_ method: HTTPRequest.Method?, _ pattern: String, _ respond: @escaping Respond) {
        let name = "\(method?.rawValue ?? "*") \(pattern)"
        routes.append(Route(method: method, pattern: PathPattern(pattern), name: name, respond: respond))
    }

    /// Handles a method on a path pattern with these responses in turn; the last one is repeated.
    public mutating func on(
        _ method: HTTPRequest.Method?,
        _ pattern: String,
        _ first: StubResponse,
        _ more: StubResponse...
    ) {
        let sequence = AnswerSequence([first] + more)
        on(method, pattern) { _ in sequence.next() ?? first }
    }

    /// Handles a method by its name on a path pattern; a name that is not a token never matches.
    public mutating func on(_ method: String, _ pattern: String, _ respond: @escaping Respond) {
        guard let method = HTTPRequest.Method(rawValue: method) else { return }
        on(method, pattern, respond)
    }

    /// Handles a method by its name on a path pattern with these responses in turn; the last one is repeated.
    public mutating func on(_ method: String, _ pattern: String, _ first: StubResponse, _ more: StubResponse...) {
        let sequence = AnswerSequence([first] + more)
        on(method, pattern) { _ in sequence.next() ?? first }
    }

    func route(for method: HTTPRequest.Method, _ path: String) -> (respond: Respond, parameters: [String: String])? {
        for route in routes where route.method == nil || route.method == method {
            if let parameters = route.pattern.match(path) { return (route.respond, parameters) }
        }
        return nil
    }
}
