// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Around 3e, bodies -> the same bodies, counted: tells observers how far they have come.
struct ProgressReporting: Sendable {
    private let observers: SettingList<ProgressObserver>
    private let clock: any RequestClock

    init(_ settings: SettingsSnapshot.Values) {
        observers = settings.value(ProgressObserversKey.self)
        clock = settings.value(ClockKey.self)
    }

    /// The request, its body counted as the transport takes it; `whole` is the body before anything was laid around it.
    func counting(_ request: EncodedRequest, of whole: RequestBody) -> EncodedRequest {
        guard !observers.isEmpty, let body = request.body.pieces else { return request }
        var file: String?
        var offset: Int64 = 0
        if case .file(let part) = whole { (file, offset) = (part.path, part.offset) }
        let subject = ProgressMeter.Subject(
            direction: .sending,
            id: request.id,
            redactedURL: request.redactedURL,
            total: request.body.length,
            offset: offset,
            file: file
        )
        var counted = request
        counted.body = .stream(
            body.through { [observers, clock] start, writer, contents in
                let counter = ProgressCounter(subject, observers: observers, clock: clock)
                counter.begin()
                if start > 0 { counter.count(Int(start)) }
                try await contents(
                    start,
                    BodyWriter { chunk in
                        try await writer.write(chunk)
                        counter.count(chunk.count)
                    }
                )
                counter.finish()
            }
        )
        return counted
    }

    /// A counter of bytes that are counted elsewhere; `nil` where nobody is told.
    func counter(_ subject: ProgressMeter.Subject) -> ProgressCounter? {
        observers.isEmpty ? nil : ProgressCounter(subject, observers: observers, clock: clock)
    }

    /// The response, its body counted as it is read.
    func counting(_ response: TransportResponse, of request: EncodedRequest) -> TransportResponse {
        guard !observers.isEmpty else { return response }
        let subject = ProgressMeter.Subject(
            direction: .receiving,
            id: request.id,
            redactedURL: request.redactedURL,
            total: response.body.expectedLength
        )
        let counter = ProgressCounter(subject, observers: observers, clock: clock)
        let source = CountedBody(response.body, counter)
        let body = ResponseBody(expectedLength: response.body.expectedLength, source: source)
        return TransportResponse(head: response.head, body: body)
    }
}
