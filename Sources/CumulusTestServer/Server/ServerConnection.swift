// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import NIOHTTP1

/// Serves the requests of one connection, one after the other.
struct ServerConnection {
    let link: ServerLink
    let reader: RequestReader
    let table: RouteTable
    let bodyLimit: Int
    let faults: FaultScript?

    /// Serves until the peer or a response ends the connection; throws `ServerResponse.Abort` to end it forcibly.
    ///
    /// The number of a stream's only request follows those of its connection.
    func serve(after requests: Int = 0) async throws {
        var number = requests
        while let head = try await reader.nextHead() {
            number += 1
            guard try await serve(head, (onServer: link.ledger.began(), onConnection: number)) else { return }
        }
    }

    /// Serves one request; returns whether another may follow.
    private func serve(_ head: HTTPRequestHead, _ number: (onServer: Int, onConnection: Int)) async throws -> Bool {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return false }
        var request = request(head, method: method, number)
        let writer = ResponseWriter(
            link: link,
            method: method,
            isHTTP11: request.isHTTP11,
            allowsKeepAlive: head.isKeepAlive
        )
        let faults = faults?.faults(request) ?? []
        if let fault = faults.first(where: \.replacesResponse) {
            link.ledger.received(request)
            try await refuse(fault)
        }
        let response: ServerResponse
        var readsRest = true
        switch table.lookup(method, request.path) {
        case .nothing:
            response = .text("no route for \(method) \(request.path)\n", status: .notFound)
            link.ledger.received(request)
        case .otherMethods(let others):
            response = ServerResponse(
                .methodNotAllowed,
                headers: [.allow: others.map(\.rawValue).joined(separator: ", ")]
            )
            link.ledger.received(request)
        case .found(.respond(.collected, let respond), let parameters):
            request.parameters = parameters
            try await continueIfExpected(request)
            guard let body = try await reader.collect(limit: bodyLimit) else {
                link.ledger.failed("\(method) \(request.path): body over \(bodyLimit) bytes")
                _ = try await writer.write(closing(.text("body too large\n", status: .contentTooLarge)))
                return false
            }
            request.body = body
            request.trailers = reader.trailers
            response = try await answer(request) { request in try await respond(request) }
        case .found(.respond(let use, let respond), let parameters):
            request.parameters = parameters
            readsRest = use == .discarded
            response = try await answer(request) { request in try await respond(request) }
        case .found(.stream(let respond), let parameters):
            request.parameters = parameters
            try await continueIfExpected(request)
            let incoming = IncomingBody { [reader] in try await reader.nextPiece() }
            response = try await answer(request) { request in try await respond(request, incoming) }
        }
        guard try await send(response.failing(faults), writer) else { return false }
        if !reader.isAtEnd {
            guard readsRest else { return false }
            try await reader.drain()
        }
        return true
    }

    /// Runs a route's handler; its error becomes a 500, unless it aborts the connection.
    private func answer(
        _ request: ServerRequest,
        _ respond: (ServerRequest) async throws -> ServerResponse
    ) async throws -> ServerResponse {
        link.ledger.received(request)
        do {
            return try await respond(request)
        } catch let abort as ServerResponse.Abort {
            throw abort
        } catch {
            try Task.checkCancellation()
            link.ledger.failed("\(request.method) \(request.path): \(error)")
            return closing(.text("the route threw: \(error)\n", status: .internalServerError))
        }
    }

    private func send(_ response: ServerResponse, _ writer: ResponseWriter) async throws -> Bool {
        if let fault = response.faults.first(where: \.replacesResponse) { try await refuse(fault) }
        if case .raw(let script) = response.content {
            // Bytes between frames would break other exchanges.
            if link.isHTTP2, script.sendsBytes { throw ServerResponse.Abort.reset }
            try await RawRunner(link: link, source: reader).run(script)
            link.ledger.answered()
            return false
        }
        let keepsAlive = try await writer.write(response)
        link.ledger.answered()
        return keepsAlive
    }

    private func request(
        _ head: HTTPRequestHead,
        method: HTTPRequest.Method,
        _ number: (onServer: Int, onConnection: Int)
    ) -> ServerRequest {
        let halves = head.uri.cut(at: "?")
        return ServerRequest(
            method: method,
            target: head.uri,
            path: halves.map { String($0.before) } ?? head.uri,
            query: halves.map { String($0.behind) },
            headers: HTTPFields(head.headers),
            body: [],
            trailers: [:],
            parameters: [:],
            number: number.onServer,
            connection: link.number,
            numberOnConnection: number.onConnection,
            isHTTP11: head.version.major > 1 || (head.version.major == 1 && head.version.minor >= 1)
        )
    }

    private func continueIfExpected(_ request: ServerRequest) async throws {
        guard request.headers[.expect]?.lowercased() == "100-continue", request.isHTTP11 else { return }
        if link.isHTTP2 { return try await link.sendHead(.continue, [:]) }
        try await link.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }

    private func closing(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.closesConnection = true
        return response
    }
}
