// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing

@testable package import CumulusCore

/// A transport that holds each request of a test against what must never happen, and passes it on.
///
/// A violation is an issue of the test.
package final class WatchedTransport: Transport {
    private struct State {
        var calls: [CallID: RequestWatch] = [:]
        /// The once-only bodies that an exchange has read from, each with that exchange's number; they are held, so that
        /// no other one gets their address.
        var readers: [ObjectIdentifier: (body: StreamBeginning, exchange: Int)] = [:]
        var exchanges = 0
    }

    private let transport: any Transport
    private let permissions: RequestWatch.Permissions
    private let state = Mutex(State())

    package init(_ transport: any Transport, allowing permissions: RequestWatch.Permissions = .init()) {
        (self.transport, self.permissions) = (transport, permissions)
    }

    package var capabilities: TransportCapabilities { transport.capabilities }
    package var isOnOwnThread: Bool { transport.isOnOwnThread }
    package func identity(at origin: Origin) -> TransportIdentity { transport.identity(at: origin) }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let number = state.withLock { state in
            state.exchanges += 1
            return state.exchanges
        }
        watchBody(of: &request, number)
        // On a busy machine, time passes between a check and what follows it.
        let isLate = request.deadlines.end.map { request.clock.moment > $0 + .seconds(1) } ?? false
        let isCancelled = Task.isCancelled
        report(change(request) { $0.begin(request) }, request)
        func end(_ end: RequestWatch.End) {
            let violation = change(request) { watch in
                watch.end(request, end, isLate: isLate, isCancelled: isCancelled)
            }
            report(violation, request)
        }
        do {
            let response = try await transport.send(request)
            end(response.head.refusesRequest ? .refusal : .response(response.head.status))
            return response
        } catch {
            end((error as? TransportFailure).map { .failed($0) } ?? .other)
            throw error
        }
    }

    private func change(_ request: TransportRequest, _ change: (inout RequestWatch) -> String?) -> String? {
        // A request that a test made by hand belongs to no call.
        guard let call = request.listing?.id else { return nil }
        return state.withLock { change(&$0.calls[call, default: RequestWatch(permissions)]) }
    }

    private func report(_ violation: String?, _ request: TransportRequest) {
        if let violation { Issue.record("\(violation): \(request)") }
    }

    private func watchBody(of request: inout TransportRequest, _ number: Int) {
        guard case .stream(let stream) = request.body, let beginning = stream.beginning else { return }
        let shown = request.description
        request.body = .stream(
            stream.through { [self] offset, writer, own in
                try await own(
                    offset,
                    BodyWriter { [self] chunk in
                        if !chunk.isEmpty { note(beginning, number, shown) }
                        try await writer.write(chunk)
                    }
                )
            }
        )
    }

    private func note(_ beginning: StreamBeginning, _ number: Int, _ request: String) {
        let first = state.withLock { state in
            let first = state.readers[ObjectIdentifier(beginning)]?.exchange ?? number
            if first == number { state.readers[ObjectIdentifier(beginning)] = (beginning, number) }
            return first
        }
        if first != number { Issue.record("a once-only body is never sent twice: \(request)") }
    }
}

extension Transport {
    /// The transport, watched: what must never be sent is an issue of the test.
    package var watched: WatchedTransport { WatchedTransport(self) }

    /// The transport, watched, with what the test allows on purpose.
    package func watched(allowing permissions: RequestWatch.Permissions) -> WatchedTransport {
        WatchedTransport(self, allowing: permissions)
    }
}

extension ResponseHead {
    /// Whether the server says that it has not taken the request: 429 (RFC 6585), or 503 or 403 with a time.
    fileprivate var refusesRequest: Bool {
        let names = ["Retry-After", "Retry-After-Ms", "X-RateLimit-Reset", "RateLimit-Reset", "RateLimit", "Backoff"]
        switch status.code {
        case 429: return true
        case 503, 403:
            return names.contains { name in HTTPField.Name(name).map { headers[$0] != nil } ?? false }
        default: return false
        }
    }
}
