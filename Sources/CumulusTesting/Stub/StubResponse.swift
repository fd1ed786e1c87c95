// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// A stub transport's response: a head and a body, possibly in pieces, or a failure.
///
/// It can be delayed.
public struct StubResponse: ValueResponse {
    /// One step of a body.
    public enum Step: Sendable {
        /// Delivers these bytes as one chunk.
        case chunk([UInt8])
        /// Delivers nothing for a time on the request's clock.
        case pause(Duration)
        /// Delivers nothing until the test opens the gate.
        case gate(Gate)
        /// Interrupts the body with an error.
        case fail(any Error)
    }

    enum Outcome: Sendable {
        case head(HTTPResponse, [Step], trailers: HTTPFields)
        case failure(any Error)
    }

    var outcome: Outcome
    /// The wait before the head, or the failure, on the request's clock.
    public var delay = Duration.zero
    /// Informational (1xx) responses that are delivered before the head.
    public var informational: [HTTPResponse] = []

    /// Creates a response with a body of bytes.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        body: [UInt8] = []
    ) -> Self {
        script(body.isEmpty ? [] : [.chunk(body)], status: status, headers: headers)
    }

    /// Creates a response whose body is delivered in steps.
    public static func script(
        _ steps: [Step],
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        trailers: Headers = [:]
    ) -> Self {
        do {
            let (fields, trailing) = (try headers.fields(), try trailers.fields())
            return Self(outcome: .head(HTTPResponse(status: status, headerFields: fields), steps, trailers: trailing))
        } catch {
            return failure(error)
        }
    }

    /// Creates a failure instead of a response.
    public static func failure(_ error: any Error) -> Self { Self(outcome: .failure(error)) }

    /// Returns a copy of the response with a delay on the request's clock.
    public func delayed(by time: Duration) -> Self {
        var answer = self
        answer.delay += time
        return answer
    }
}
