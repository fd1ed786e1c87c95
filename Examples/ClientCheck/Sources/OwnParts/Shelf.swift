// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// A transport of one's own: a service in memory, which keeps what is put to it and wants a signature.
final class Shelf: Transport {
    private let documents = Mutex<[String: (bytes: [UInt8], headers: HTTPFields)]>([:])
    private let open = Atomic(true)
    private let key: UInt8

    init(key: UInt8) { self.key = key }

    /// Whether it answers; it is a service that can fail.
    var isOpen: Bool {
        get { open.load(ordering: .relaxed) }
        set { open.store(newValue, ordering: .relaxed) }
    }

    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        capabilities.streamsRequestBodies = true
        return capabilities
    }

    func identity(at origin: Origin) -> TransportIdentity { TransportIdentity(route: ["shelf"]) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard isOpen else { return response(.serviceUnavailable) }
        let body = Collected()
        try await request.body.read { body.add($0.bytes) }
        guard request.headers[.authorization] == "Sum \(Sum.of(Array(request.target.utf8), key: key))" else {
            return response(.unauthorized, HTTPFields(["WWW-Authenticate": "Sum"]))
        }
        if request.method == .put {
            documents.withLock { $0[request.target] = (body.bytes, request.headers) }
            return response(.created)
        }
        guard let found = documents.withLock({ $0[request.target] }) else { return response(.notFound) }
        var headers = HTTPFields(["X-Sum": "\(Sum.of(found.bytes, key: key))"])
        headers[.contentType] = found.headers[.contentType]
        headers[.contentEncoding] = found.headers[.contentEncoding]
        // A document that somebody has changed on its way.
        let bytes = request.target.hasSuffix("forged") ? found.bytes.map { $0 ^ 1 } : found.bytes
        return response(.ok, headers, bytes)
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ headers: HTTPFields = [:],
        _ body: [UInt8] = []
    ) -> TransportResponse {
        TransportResponse(
            head: ResponseHead(status: status, headers: headers),
            body: ResponseBody(complete: ByteChunk(body))
        )
    }
}

/// The pieces of a body.
final class Collected: Sendable {
    private let stored = Mutex<[UInt8]>([])
    var bytes: [UInt8] { stored.withLock { $0 } }
    func add(_ piece: [UInt8]) { stored.withLock { $0 += piece } }
}
