// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes
import Synchronization

/// A transport without a network, which responds with routes or a closure and records its requests.
///
/// Deadlines apply as on a real transport, on the request's clock: a late response is a timeout. A request that matches
/// no route fails with an error that names the request and the routes.
///
/// It doesn't connect to any address, but respects `allowedAddresses`: forbidden addresses in URLs are refused, and
/// names are not looked up.
///
/// A request's body is read to its end before the response begins. An exchange in both directions at once needs a
/// `LoopbackServer` with `Routes.onStream`.
public final class StubTransport: Transport {
    /// The capabilities that this transport claims.
    public let capabilities: TransportCapabilities

    private struct Record {
        var count = 0
        var requests: [StubRequest] = []
        var cancelledBodies = 0
    }

    private let routes: StubRoutes
    private let record = Mutex(Record())

    /// Creates a transport that responds with routes.
    public init(capabilities: TransportCapabilities = .init(), routes: (inout StubRoutes) -> Void) {
        var table = StubRoutes()
        routes(&table)
        var capabilities = capabilities
        // It connects to nothing; addresses in URLs are checked before.
        capabilities.guardsAddresses = true
        capabilities.sendsTrailers = true
        self.capabilities = capabilities
        self.routes = table
    }

    /// Creates a transport that responds to everything with a closure.
    ///
    /// Name the parameter if the closure only returns a value: `StubTransport(answering: { _ in answer })`.
    public convenience init(
        capabilities: TransportCapabilities = .init(),
        answering respond: @escaping StubRoutes.Respond
    ) {
        self.init(capabilities: capabilities) { $0.on(nil, "*", respond) }
    }

    /// The requests so far, in order of arrival.
    public var requests: [StubRequest] { record.withLock(\.requests) }
    /// The last request.
    public var lastRequest: StubRequest? { record.withLock(\.requests.last) }
    /// The number of bodies that were dropped or cancelled before their end.
    public var cancelledBodies: Int { record.withLock(\.cancelledBodies) }

    /// Returns the identity of an anonymous client, whose route has no network.
    ///
    /// A store shares its responses only with other stubs.
    public func identity(at origin: Origin) -> TransportIdentity { StubTransport.identity }

    private static let identity = TransportIdentity(route: ["stub"])

    /// Records the request, and responds as configured.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let started = request.clock.now
        let number = record.withLock { record in
            record.count += 1
            return record.count
        }
        let body = Mutex<[UInt8]>([])
        try await request.body.read { piece in body.withLock { $0 += piece.bytes } }
        var seen = StubRequest(request: request, body: body.withLock(\.self), parameters: [:], number: number)
        seen.trailers = try await request.body.trailers()
        guard let route = routes.route(for: request.method, seen.path) else {
            remember(seen)
            throw TransportFailure(.other, unanswered(seen), fate: .unsent)
        }
        seen.parameters = route.parameters
        remember(seen)
        let answer = try await route.respond(seen)
        let pause = StubPause(request: request, started: started)
        try await pause.wait(answer.delay, phase: .response)
        try Task.checkCancellation()
        for early in answer.informational { request.onInformational?(early) }
        switch answer.outcome {
        case .failure(let error): throw error
        case .head(let head, let steps, let trailers):
            return response(to: seen, head: head, steps: steps, trailers: trailers, pause: pause)
        }
    }

    private func response(
        to seen: StubRequest,
        head: HTTPResponse,
        steps: [StubResponse.Step],
        trailers: HTTPFields,
        pause: StubPause
    ) -> TransportResponse {
        let hasBody = seen.method != .head && head.status != .noContent && head.status != .notModified
        var facts = ExchangeFacts()
        facts.protocolName = "stub"
        facts.isReused = seen.number > 1
        facts.bytesSent = Int64(seen.body.count)
        let length = hasBody ? head.headerFields[.contentLength].flatMap { Int64($0) } : 0
        let responseHead = ResponseHead(status: head.status, headers: head.headerFields)
        // Nothing to wait for, as with a real response that ends with its head.
        if !hasBody || steps.isEmpty, length ?? 0 == 0 {
            let end = ExchangeEnd(trailers: trailers, facts: facts)
            return TransportResponse(head: responseHead, body: ResponseBody(complete: .empty, end: end))
        }
        let source = StubBodySource(steps: steps, trailers: trailers, facts: facts, pause: pause) {
            [weak self] in self?.record.withLock { $0.cancelledBodies += 1 }
        }
        return TransportResponse(head: responseHead, body: ResponseBody(expectedLength: length, source: source))
    }

    private func remember(_ request: StubRequest) {
        record.withLock { $0.requests.append(request) }
    }

    private func unanswered(_ request: StubRequest) -> String {
        let known = routes.routes.map(\.name).joined(separator: ", ")
        return
            "the stub has no response for \(request.method) \(request.path); its routes are: \(known.isEmpty ? "none" : known)"
    }
}

extension RequestBody {
    /// Creates the fields after a body that has been read, whose failure is the request's, as on a real transport.
    func trailers() async throws -> HTTPFields {
        guard case .stream(let stream) = self else { return [:] }
        do {
            return try await stream.trailers?() ?? [:]
        } catch let error where !(error is CancellationError) {
            throw TransportFailure(.requestBody, "the request body could not be produced: \(error)", cause: error)
        }
    }
}
