// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Counts request and response bodies for observers of their progress and of their bytes.
struct ProgressReporting: Sendable {
    let clock: any RequestClock

    /// The request with a body that is counted, or shown, as the transport reads it.
    ///
    /// `whole` is the original body, and `sending` receives its report.
    func counting(
        _ request: EncodedRequest,
        of whole: RequestBody,
        _ call: CallContext,
        _ sending: SendingReport.Latest?
    ) -> EncodedRequest {
        guard let observation = call.observation, !observation.kinds.isDisjoint(with: [.progress, .bytes]),
            let body = request.body.pieces
        else { return request }
        let isCounted = observation.kinds.contains(.progress)
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
            body.through { [clock] start, writer, contents in
                let counter =
                    isCounted ? ProgressCounter(subject, clock: clock) { observation.tell(.progressed($0)) } : nil
                let report = SendingReport(observation, counter, length: subject.total, from: start)
                report.begin(as: sending)
                try await contents(start, BodyWriter { chunk in try await report.write(chunk, to: writer) })
                report.finish()
            }
        )
        return counted
    }

    /// A counter for bytes that are counted elsewhere; `nil` if no observer wants progress.
    func counter(_ call: CallContext, _ subject: ProgressMeter.Subject) -> ProgressCounter? {
        observation(call).map { observation in
            ProgressCounter(subject, clock: clock) { observation.tell(.progressed($0)) }
        }
    }

    /// Counts the response's body as it is read.
    func count(_ response: inout TransportResponse, of request: EncodedRequest, _ call: CallContext) {
        guard let observation = observation(call) else { return }
        let subject = ProgressMeter.Subject(
            direction: .receiving,
            id: request.id,
            redactedURL: request.redactedURL,
            total: response.body.expectedLength
        )
        let counter = ProgressCounter(subject, clock: clock) { observation.tell(.progressed($0)) }
        let source = CountedBody(response.body, counter)
        response = TransportResponse(head: response.head, body: response.body.wrapped(by: source))
    }

    private func observation(_ call: CallContext) -> CallObservation? {
        call.observation.flatMap { $0.kinds.contains(.progress) ? $0 : nil }
    }
}
