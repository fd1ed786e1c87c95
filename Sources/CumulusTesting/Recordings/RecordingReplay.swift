// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Creates responses of recorded exchanges.
struct RecordingReplay: Sendable {
    let file: String
    let folder: BodyFolder
    let options: RecordingOptions

    /// The parts of a request that must match; a streamed body that was read for it is replaced by its bytes.
    func key(of request: inout TransportRequest) async throws -> RecordedRequestKey {
        let capture = BodyCapture(request.headers, in: nil, options)
        if options.matchesBodies {
            let collected = Mutex<[UInt8]>([])
            let isStream = if case .stream = request.body { true } else { false }
            try await request.body.read { chunk in
                capture.add(chunk)
                if isStream {
                    try collected.withLock { bytes in
                        guard bytes.count + chunk.count <= BodyCapture.memoryLimit else {
                            throw TransportFailure(
                                .requestBody,
                                "a body of more than 8 MiB can't be matched",
                                fate: .unsent
                            )
                        }
                        chunk.withUnsafeBytes { bytes += $0 }
                    }
                }
            }
            if case .stream(let stream) = request.body {
                let bytes = ByteChunk(collected.withLock(\.self))
                let contents = { @Sendable (_: Int64, writer: BodyWriter) in try await writer.write(bytes) }
                request.body =
                    stream.trailers.map {
                        .stream(StreamBody(replay: .restartable, contents: contents, trailers: $0))
                    } ?? .bytes(bytes)
            }
        }
        return RecordedRequestKey(
            method: request.method.rawValue,
            url: "\(request.origin)\(request.target)",
            request.headers,
            body: capture.stored(),
            options
        )
    }

    /// The response, after the request's body has been read as by a transport.
    func response(_ exchange: RecordedExchange, to request: TransportRequest) async throws -> TransportResponse {
        let started = request.clock.now
        let sent = try await request.body.read { _ in }
        _ = try await request.body.trailers()
        let pause = StubPause(request: request, started: started, answerer: "recording")
        for response in exchange.informational { request.onInformational?(response) }
        switch exchange.outcome {
        case .failed(let failure): throw failure
        case .cancelled: throw await pause.silence(.response)
        case .response(let status, let recorded, let protocolName, let body, let ending):
            let hasBody = request.method != .head && status != .noContent && status != .notModified
            let isWhole = if case .complete = ending { true } else { false }
            let isCoded = recorded[.contentEncoding] != nil
            var headers = recorded
            if hasBody {
                headers[.contentEncoding] = nil
                headers[.transferEncoding] = nil
                // The length of the bytes that were announced, and didn't arrive.
                if isWhole || isCoded { headers[.contentLength] = nil }
            }
            var facts = ExchangeFacts()
            facts.protocolName = protocolName
            facts.bytesSent = sent
            let head = ResponseHead(status: status, headers: headers, protocolName: protocolName)
            if !hasBody || isWhole && body == .empty {
                let trailers = if case .complete(let trailers) = ending { trailers } else { HTTPFields() }
                let end = ExchangeEnd(trailers: trailers, facts: facts)
                return TransportResponse(head: head, body: ResponseBody(complete: .empty, end: end))
            }
            let content = content(body, at: exchange.jsonPath)
            let announced = headers[.contentLength].flatMap { Int64($0) }
            let length = isWhole ? (try? content.get())?.length : announced
            let source = ReplayedBodySource(content, ending, facts, pause)
            return TransportResponse(head: head, body: ResponseBody(expectedLength: length, source: source))
        }
    }

    private func content(_ body: RecordedBody, at jsonPath: String) -> Result<FixtureContent, RecordingProblem> {
        if let bytes = body.bytes { return .success(.bytes(ByteChunk(bytes))) }
        switch body {
        case .file(let name, _):
            do {
                if let opened = try folder.open(name) { return .success(.file(opened)) }
                let reason = "the body's file \(name) is missing"
                return .failure(RecordingProblem(.unreadable, file, at: jsonPath, reason))
            } catch {
                return .failure(RecordingProblem(.unreadable, file, at: jsonPath, error.description))
            }
        case .omitted(let reason):
            return .failure(RecordingProblem(.missingBody, file, at: jsonPath, "the body is not recorded: \(reason)"))
        case .empty, .text, .binary: return .success(.bytes(.empty))
        }
    }
}
