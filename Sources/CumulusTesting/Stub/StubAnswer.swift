// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// What a stub transport answers: a head and a body that may come in pieces, or a failure; late if wanted.
public struct StubAnswer: Sendable {
    /// One step of a body.
    public enum Step: Sendable {
        /// These bytes as one chunk.
        case chunk([UInt8])
        /// Nothing, for a time on the request's clock.
        case pause(Duration)
        /// Nothing, until the test opens the gate.
        case gate(Gate)
        /// The body breaks off with an error.
        case fail(any Error)
    }

    enum Outcome: Sendable {
        case head(HTTPResponse, [Step], trailers: HTTPFields)
        case failure(any Error)
    }

    var outcome: Outcome
    /// How long to wait before the head, or the failure, on the request's clock.
    public var delay = Duration.zero
    /// Informational (1xx) responses that are told before the head.
    public var informational: [HTTPResponse] = []

    /// A response with a body of bytes.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) -> Self {
        script(body.isEmpty ? [] : [.chunk(body)], status: status, headers: headers)
    }

    /// A text, as `text/plain` in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Self {
        response(status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// A text of JSON, as `application/json`; it is given as it is.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Self {
        response(status, headers: [.contentType: "application/json"], body: Array(text.utf8))
    }

    /// A response whose body comes in steps.
    public static func script(
        _ steps: [Step],
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:],
        trailers: HTTPFields = [:]
    ) -> Self {
        Self(outcome: .head(HTTPResponse(status: status, headerFields: headers), steps, trailers: trailers))
    }

    /// A failure instead of a response.
    public static func failure(_ error: any Error) -> Self { Self(outcome: .failure(error)) }

    /// The same answer, later by a time on the request's clock.
    public func delayed(by time: Duration) -> Self {
        var answer = self
        answer.delay += time
        return answer
    }
}
