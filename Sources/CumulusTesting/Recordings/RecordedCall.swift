// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An exchange that is being recorded.
struct RecordedCall: Sendable {
    private let file: RecordingFile
    private let folder: BodyFolder
    private let options: RecordingOptions
    private let request: TransportRequest
    private let capture: BodyCapture
    private let informational = InformationalResponses()
    private let place: Int
    private let date = Date()
    private let started: ContinuousClock.Instant

    init(_ request: TransportRequest, to file: RecordingFile, in folder: BodyFolder, _ options: RecordingOptions)
        throws(RecordingProblem)
    {
        self.file = file
        self.folder = folder
        self.options = options
        self.request = request
        capture = BodyCapture(request.headers, in: folder, options)
        place = try file.begin()
        started = request.clock.now
    }

    /// Sends the request, and records it with its outcome.
    func send(over next: any Transport) async throws -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await next.send(try await observed())
        } catch {
            end(error is CancellationError ? .cancelled : .failed(RecordedCall.failure(error)))
            // The exchange's own error counts.
            try? await save()
            throw error
        }
        let isDecoded = next.capabilities.decodesContent
        let body = BodyCapture(response.head.headers, in: folder, options, isDecoded: isDecoded)
        let source = RecordingBodySource(response, body, self)
        let length = response.body.expectedLength
        return TransportResponse(head: response.head, body: ResponseBody(expectedLength: length, source: source))
    }

    /// The request with a body that is recorded while it is sent.
    private func observed() async throws -> TransportRequest {
        var request = request
        request.onInformational = { [informational, own = request.onInformational] response in
            informational.add(response)
            own?(response)
        }
        switch request.body {
        case .none: break
        case .bytes(let bytes): capture.add(bytes)
        // Before it is sent, since the transport reads the file itself.
        case .file: try await request.body.read { [capture] in capture.add($0) }
        case .stream(let stream):
            request.body = .stream(
                StreamBody(
                    length: stream.length,
                    replay: stream.replay,
                    contents: { [capture] offset, writer in
                        try await stream.contents(
                            offset,
                            BodyWriter { chunk in
                                capture.add(chunk)
                                try await writer.write(chunk)
                            }
                        )
                    },
                    trailers: stream.trailers
                )
            )
        }
        return request
    }

    /// Records the outcome.
    func end(
        _ outcome: RecordedExchange.Outcome,
        bodySize: Int64 = 0,
        _ facts: ExchangeFacts = ExchangeFacts()
    ) {
        let size = capture.count
        let exchange = RecordedExchange(
            method: request.method.rawValue,
            url: "\(request.origin)\(request.target)",
            headers: request.headers,
            body: capture.stored(),
            informational: informational.all,
            outcome: outcome,
            jsonPath: ""
        )
        var circumstances = HARWriter.Circumstances()
        circumstances.started = date
        circumstances.elapsed = started.duration(to: request.clock.now)
        circumstances.requestBodySize = size
        circumstances.bodySize = bodySize
        circumstances.phases = facts.phases
        file.end(place, HARWriter(options: options).entry(exchange, circumstances))
    }

    func save() async throws { try await file.save() }

    func saveLater() { file.saveLater() }

    /// The failure in a recording for any error of a transport.
    static func failure(_ error: any Error) -> TransportFailure {
        error as? TransportFailure ?? TransportFailure(.other, "\(error)", cause: error)
    }
}

/// The informational responses (1xx) to a request.
private final class InformationalResponses: Sendable {
    private let responses = Mutex<[HTTPResponse]>([])

    var all: [HTTPResponse] { responses.withLock(\.self) }

    func add(_ response: HTTPResponse) { responses.withLock { $0.append(response) } }
}
