// SPDX-License-Identifier: Apache-2.0

/// Limits the rate of request and response bodies.
struct BandwidthStage: Sendable {
    private let rate: Bandwidth?
    private let clock: any RequestClock

    init(_ settings: SettingValues) {
        rate = settings.value(BandwidthKey.self)
        clock = settings.value(ClockKey.self)
    }

    /// Whether there is a rate.
    var isOn: Bool { rate != nil }

    /// The request with a body that is passed to the transport no faster than the rate.
    func throttled(_ request: EncodedRequest) -> EncodedRequest {
        guard let rate, let body = request.body.pieces else { return request }
        var throttled = request
        throttled.body = .stream(
            body.through { [clock] start, writer, contents in
                try await contents(
                    start,
                    BodyWriter { chunk in
                        var position = 0
                        while position < chunk.count {
                            let end = min(position + rate.pieceSize, chunk.count)
                            try await rate.pass(end - position, on: clock)
                            try await writer.write(chunk.slice(position..<end))
                            position = end
                        }
                    }
                )
            }
        )
        return throttled
    }

    /// Passes the response's body to its reader no faster than the rate, which also slows down the server.
    func throttle(_ response: inout TransportResponse, of call: CallContext) {
        guard let rate, response.body.expectedLength != 0 else { return }
        let source = ThrottledBody(response.body, rate: rate, clock: clock, before: call.end, since: call.started)
        response = TransportResponse(head: response.head, body: response.body.wrapped(by: source))
    }
}
