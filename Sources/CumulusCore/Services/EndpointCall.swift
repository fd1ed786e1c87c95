// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A call of an endpoint that is made now and sent later, any number of times; a copy can have other values.
///
///     var mentions = twitter.prepare("mentions", ["count": 20], as: [Status].self)
///     let first = try await mentions.send()
///     mentions.arguments["page"] = 2
///     mentions.start { result in show(result) }     // on the main actor
public struct EndpointCall<Output: Sendable>: Sendable {
    /// The service, with its settings when the call is sent.
    public let service: Service
    /// The endpoint's name.
    public let name: String
    /// The endpoint's description; `nil` if the service has none with that name.
    public let endpoint: EndpointDescription?
    /// Values for the endpoint's parameters; changing them on a call for a following page makes it one for the first
    /// page.
    public var arguments: EndpointArguments { didSet { step = nil } }
    /// A whole body, if it isn't made from parameters.
    public var body: Payload?
    /// The request's name, and whether it replaces or joins another with that name.
    public var identity: RequestIdentity?
    let form: ResponseForm<Output>
    let wanted: (any Any.Type)?
    /// The request for a page that a response named; `nil` for the first one.
    var step: PageWalk.Step?

    /// Sends the call.
    ///
    /// - Returns: The call's output.
    /// - Throws: ``CumulusError``, or `CancellationError` if the task is cancelled.
    public func send() async throws -> Output { try await send(RequestStart()) }

    private func send(_ start: RequestStart) async throws -> Output {
        if let step {
            let place = step.resource.started(start)
            return try await place.run(.get, .none, step.query, step.headers, wanted: wanted, as: form)
        }
        let request = try service.request(endpoint, name, arguments, body: body, identity: identity)
        return try await request.resource.started(start).run(
            request.method,
            request.payload,
            request.query,
            request.headers,
            wanted: wanted,
            as: form
        )
    }

    /// The call as a prepared request: for chaining, mapping, starting with closures, waiting.
    public var prepared: PreparedRequest<Output> { PreparedRequest(service.resource) { try await send($0) } }

    /// Starts the call without waiting; see ``PreparedRequest/start()``.
    public func start() -> RequestHandle<Output> { prepared.start() }

    /// Starts the call; closures are called on the main actor, see ``PreparedRequest/start(progress:completion:)``.
    @discardableResult
    public func start(
        progress: RequestProgress? = nil,
        completion: @escaping RequestCompletion<Output>
    ) -> RequestHandle<Output> {
        prepared.start(progress: progress, completion: completion)
    }

    /// The same call with other values merged over these.
    public func with(_ other: EndpointArguments) -> EndpointCall {
        var call = self
        call.arguments = arguments.merging(other)
        return call
    }
}
