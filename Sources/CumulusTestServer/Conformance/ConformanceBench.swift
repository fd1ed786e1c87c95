// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The tools of a conformance case: the transport, servers, and expectations.
struct ConformanceBench: Sendable {
    let transport: any Transport
    let list: TransportConformance

    /// Whether the transport refuses what breaks the grammar of RFC 9112.
    var isStrict: Bool { list.exclusions[.conflictingLengthsAreRefused] == nil }

    /// A response that was read to its end.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
        var end: ExchangeEnd?
        var text: String { String(decoding: body, as: UTF8.self) }

        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    /// Creates a request to a server on loopback.
    func request(
        _ server: LoopbackServer,
        _ target: String = "/x",
        method: HTTPRequest.Method = .get,
        headers: [(String, String)] = [],
        body: RequestBody = .none
    ) -> TransportRequest {
        request(
            port: server.port,
            scheme: server.tls == nil ? .http : .https,
            target,
            method: method,
            headers: headers,
            body: body
        )
    }

    func request(
        port: Int,
        scheme: Origin.Scheme = .http,
        host: String = "127.0.0.1",
        _ target: String = "/x",
        method: HTTPRequest.Method = .get,
        headers: [(String, String)] = [],
        body: RequestBody = .none
    ) -> TransportRequest {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        var request = TransportRequest(
            method: method,
            origin: Origin(scheme: scheme, host: host, port: port),
            target: target,
            headers: fields,
            body: body
        )
        request.httpVersion = list.httpVersion
        return request
    }

    /// Sends a request, and reads the body to its end.
    func exchange(_ request: TransportRequest) async throws -> Answer {
        try await exchange(request, on: transport)
    }

    func exchange(_ request: TransportRequest, on transport: any Transport) async throws -> Answer {
        try await read(await transport.send(request))
    }

    /// Reads a response's body to its end.
    func read(_ response: TransportResponse) async throws -> Answer {
        var body: [UInt8] = []
        while let chunk = try await response.body.next() {
            try expect(!chunk.isEmpty, "an empty chunk was delivered")
            body += chunk.bytes
        }
        return Answer(
            status: response.head.status.code,
            headers: response.head.headers,
            body: body,
            end: response.body.end
        )
    }

    /// Runs `body` with a transport that trusts a root.
    func withTransport(trusting rootPEM: String, _ body: (any Transport) async throws -> Void) async throws {
        let transport = try await list.makeTransport(rootPEM)
        do {
            try await body(transport)
            await list.stopTransport(transport)
        } catch {
            await list.stopTransport(transport)
            throw error
        }
    }

    func expect(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
        if !condition { throw ConformanceFailure(reason: reason()) }
    }

    func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
        if found != wanted { throw ConformanceFailure(reason: "\(what) is \(found), not \(wanted)") }
    }

    /// Compares long contents without printing them.
    func expectBytes(_ found: [UInt8], _ wanted: [UInt8], _ what: String) throws {
        if found == wanted { return }
        let start = zip(found, wanted).prefix { $0 == $1 }.count
        throw ConformanceFailure(
            reason: "\(what) (\(found.count) bytes) differs from the expected \(wanted.count) bytes at byte \(start)"
        )
    }

    /// Expects a failure of certain kinds.
    @discardableResult
    func expectFailure(
        _ kinds: [TransportFailure.Kind],
        _ body: () async throws -> Void
    ) async throws -> TransportFailure {
        do {
            try await body()
        } catch let failure as TransportFailure {
            try expect(kinds.contains(failure.kind), "failed with \(failure), not with \(kinds)")
            return failure
        } catch {
            throw ConformanceFailure(reason: "threw \(type(of: error)) \(error), not a TransportFailure of \(kinds)")
        }
        throw ConformanceFailure(reason: "did not fail with \(kinds)")
    }

    /// Expects that work ends with `CancellationError`.
    func expectCancellation(_ work: Task<Void, any Error>) async throws {
        do {
            try await work.value
        } catch is CancellationError {
            return
        } catch {
            throw ConformanceFailure(reason: "threw \(type(of: error)) \(error), not CancellationError")
        }
        throw ConformanceFailure(reason: "was not cancelled")
    }

    /// Bytes in which no two neighboring runs are the same, so that lost or mixed-up pieces are noticed.
    static func pattern(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        // A prime length, so that its repetitions don't coincide with a buffer's boundary.
        let block = (0..<65_521).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count {
            bytes += block
            // Each repetition begins with its own mark.
            bytes[bytes.count - block.count] = UInt8(truncatingIfNeeded: bytes.count / block.count)
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
