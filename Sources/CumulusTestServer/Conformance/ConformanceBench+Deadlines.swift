// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of time limits.
    var deadlineBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .responseTimeout: { try await $0.responseTimeout() }
        case .responseTimeoutUnderInformationalResponses: { try await $0.responseTimeoutUnderInformationalResponses() }
        case .headThatDripsIsTimedOut: { try await $0.headThatDripsIsTimedOut() }
        case .idleTimeoutInTheBody: { try await $0.idleTimeoutInTheBody() }
        case .totalDeadlineBeforeTheHead: { try await $0.totalDeadlineBeforeTheHead() }
        case .totalDeadlineInTheBody: { try await $0.totalDeadlineInTheBody() }
        case .connectTimeout: { try await $0.connectTimeout() }
        case .handshakeTimeout: { try await $0.handshakeTimeout() }
        case .deadlinesReadTheRequestsClock: { try await $0.deadlinesReadTheRequestsClock() }
        case .deadlineEndsHooksAndLines: { try await $0.deadlineEndsHooksAndLines() }
        case .slowButSteadyBodyPasses: { try await $0.slowButSteadyBodyPasses() }
        default: nil
        }
    }
}

extension ConformanceBench {
    /// Expects a timeout of a phase that took at least its limit, and not longer than a busy machine does.
    private func expectTimeout(
        _ phase: TransportFailure.Phase,
        of limit: Duration,
        _ body: () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        let failure = try await expectFailure([.timeout(phase)], body)
        let took = start.duration(to: .now)
        try expect(took >= limit - .milliseconds(20), "timed out after \(took); the limit is \(limit)")
        try expect(took < limit + .seconds(120), "timed out only after \(took); the limit is \(limit)")
        try expect(failure.limit != nil, "the failure does not contain the limit")
        try expect(failure.elapsed.map { $0 > .zero } == true, "the failure does not contain the elapsed time")
    }

    fileprivate func responseTimeout() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .hold]) { server in
            var request = request(server)
            request.deadlines.idle = .milliseconds(200)
            try await expectTimeout(.response, of: .milliseconds(200)) { [request] in _ = try await exchange(request) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func responseTimeoutUnderInformationalResponses() async throws {
        let early = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 90)
        // Each pause is far shorter than the limit, but together they are far longer.
        let drip = RawScript.Step.split(early, every: 27, pause: .milliseconds(300))
        try await withLoopbackServer(raw: [.awaitHead, drip, .hold]) { server in
            var request = request(server)
            request.deadlines.idle = .seconds(2)
            try await expectTimeout(.response, of: .seconds(2)) { [request] in _ = try await exchange(request) }
            request.deadlines.idle = .seconds(20)
            request.deadlines.response = .seconds(2)
            try await expectTimeout(.response, of: .seconds(2)) { [request] in _ = try await exchange(request) }
        }
    }

    fileprivate func headThatDripsIsTimedOut() async throws {
        let head = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 200)
        let drip = RawScript.Step.split(head, every: 1, pause: .milliseconds(200))
        try await withLoopbackServer(raw: [.awaitHead, drip, .hold]) { server in
            var request = request(server)
            request.deadlines.idle = .seconds(1)
            try await expectTimeout(.response, of: .seconds(1)) { [request] in _ = try await exchange(request) }
            request.deadlines.idle = .seconds(20)
            request.deadlines.response = .seconds(1)
            try await expectTimeout(.response, of: .seconds(1)) { [request] in _ = try await exchange(request) }
        }
    }

    fileprivate func idleTimeoutInTheBody() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123"
        try await withLoopbackServer(raw: [.awaitHead, .send(head), .hold]) { server in
            var request = request(server)
            request.deadlines.idle = .seconds(3)
            let response = try await transport.send(request)
            // The silence begins with the last byte, a little before the read.
            try await expectTimeout(.idle, of: .seconds(2)) { _ = try await read(response) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func totalDeadlineBeforeTheHead() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .hold]) { server in
            var request = request(server)
            request.deadlines.idle = .seconds(30)
            request.deadlines.total = .now + .milliseconds(200)
            try await expectTimeout(.total, of: .milliseconds(200)) { [request] in _ = try await exchange(request) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func totalDeadlineInTheBody() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                .stream { writer in
                    while true {
                        try await writer.write("x")
                        // In real time, like a slow server.
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
        }) { server in
            var request = request(server)
            request.deadlines.idle = .seconds(5)
            request.deadlines.total = .now + .milliseconds(400)
            try await expectTimeout(.total, of: .milliseconds(400)) { [request] in _ = try await exchange(request) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func connectTimeout() async throws {
        let port: UnansweredPort
        do {
            port = try await UnansweredPort.open()
        } catch is UnansweredPort.Unavailable {
            throw ConformanceSkip(reason: "this system accepts every connection")
        }
        var request = request(port: port.port)
        request.deadlines.connect = .milliseconds(200)
        try await expectTimeout(.connect, of: .milliseconds(200)) { [request] in _ = try await exchange(request) }
        port.shutdown()
    }

    fileprivate func handshakeTimeout() async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            var request = request(port: server.port, scheme: .https)
            request.deadlines.connect = .milliseconds(200)
            try await expectTimeout(.connect, of: .milliseconds(200)) { [request] in _ = try await exchange(request) }
            try await waitForEnd(on: server)
        }
    }

    fileprivate func deadlinesReadTheRequestsClock() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .hold]) { server in
            let clock = ManualClock()
            var request = request(server)
            request.clock = clock
            request.deadlines.idle = .seconds(3600)
            let work = Task { [request] in _ = try await exchange(request) }
            try await server.waitForRequests(1)
            let mover = Task {
                // The transport may record its last activity a little after the server saw the request.
                while !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(50))
                    clock.advance(by: .seconds(3700))
                }
            }
            defer { mover.cancel() }
            let failure = try await expectFailure([.timeout(.response)]) { try await work.value }
            try expect(
                (failure.elapsed ?? .zero) >= .seconds(3600),
                "elapsed is \(String(describing: failure.elapsed))"
            )
        }
    }

    fileprivate func slowButSteadyBodyPasses() async throws {
        // Longer than what some transports collect before they hand a body over.
        let (clock, piece) = (ManualClock(), [UInt8](repeating: 1, count: 4_096))
        let gates = (0..<10).map { _ in Gate() }
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                .stream(headers: [.contentType: "application/octet-stream"]) { writer in
                    for gate in gates {
                        try await gate.wait()
                        try await writer.write(piece)
                    }
                }
            }
        }) { server in
            var request = request(server)
            request.clock = clock
            // Each silence is shorter than the limit, but together they are longer.
            request.deadlines.idle = .seconds(60)
            gates[0].open()
            let response = try await transport.send(request)
            var count = 0
            for (number, gate) in gates.enumerated() {
                gate.open()
                while count < (number + 1) * piece.count, let chunk = try await response.body.next() {
                    count += chunk.count
                }
                clock.advance(by: .seconds(40))
            }
            try expectEqual(count, gates.count * piece.count, "the count of bytes")
            try expect(try await response.body.next() == nil, "the body has no end")
        }
    }
}
