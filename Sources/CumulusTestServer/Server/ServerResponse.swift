// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import CumulusTesting
public import HTTPTypes

/// A response of the loopback server: a status, fields, and a body whose timing may be scripted.
public struct ServerResponse: ValueResponse {
    /// The source of the bytes after the head.
    public enum Content: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Scripted pieces, pauses and ends.
        case script([Step])
        /// Bytes written by a closure. An error that it throws aborts the response (`Abort` determines how).
        case stream(@Sendable (ServerBodyWriter) async throws -> Void)
        /// Exact bytes instead of a response; the status and fields are not used.
        case raw(RawScript)
    }

    /// How the end of the body is signaled.
    public enum Framing: Sendable, Equatable {
        /// `Content-Length` for bytes, chunked for scripts and streams, and the end of the connection for HTTP/1.0.
        case automatic
        /// A `Content-Length` with this number, regardless of the body's real length.
        case contentLength(Int)
        /// `Transfer-Encoding: chunked`.
        case chunked
        /// The end of the connection.
        case untilClose
    }

    /// One step of a scripted body.
    public enum Step: Sendable {
        /// Sends bytes, as one chunk if the framing has chunks.
        case chunk([UInt8])
        /// Waits for a time.
        case pause(Duration)
        /// Waits until the test opens the gate.
        case gate(Gate)
        /// Sends the same bytes repeatedly, as fast as the peer accepts them, until it disconnects.
        case repeating([UInt8])
        /// Sends nothing more and keeps the connection open until the peer closes it.
        case hold
        /// Closes the connection in the middle of the body.
        case close
        /// Resets the connection in the middle of the body.
        case reset
    }

    /// The error that a stream throws to abort its response.
    public enum Abort: Error, Equatable {
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
    }

    /// The status.
    public var status: HTTPResponse.Status
    /// The fields, without those that the framing adds.
    public var headers: HTTPFields
    /// The body.
    public var content: Content
    /// How the end of the body is signaled.
    public var framing = Framing.automatic
    /// A wait before the first byte of the response.
    public var delay = Duration.zero
    /// Informational responses (1xx) that are sent before the head, in order.
    public var informational: [HTTPResponse] = []
    /// Fields after a chunked body.
    public var trailers = HTTPFields()
    /// Whether the connection is closed after the response; the response announces this.
    public var closesConnection = false
    /// The faults that concern the body, or replace the response.
    var faults: [ServerFault] = []

    /// Creates a response with a body of bytes.
    public init(_ status: HTTPResponse.Status = .ok, headers: Headers = [:], body: [UInt8] = []) {
        self.init(status, headers: headers, content: .bytes(body))
    }

    /// Creates a response with any content.
    public init(_ status: HTTPResponse.Status = .ok, headers: Headers = [:], content: Content) {
        do {
            self.headers = try headers.fields()
        } catch {
            self = .refusal(error.description)
            return
        }
        self.status = status
        self.content = content
    }

    /// The response in place of one that can't be made, so that the test sees why.
    static func refusal(_ reason: String) -> Self {
        Self(.internalServerError, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(reason.utf8))
    }

    /// Creates a response with a body of bytes.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        body: [UInt8] = []
    ) -> Self { Self(status, headers: headers, body: body) }

    /// Creates a response with the status 500 that contains the error, so that the test sees it.
    public static func failure(_ error: any Error) -> Self { refusal("the value can't be encoded: \(error)") }

    /// Creates a redirect with additional `headers`, such as a `Set-Cookie`.
    public static func redirect(
        to location: String,
        status: HTTPResponse.Status = .found,
        headers: Headers = [:]
    ) -> Self {
        var headers = headers
        headers[.location] = location
        return Self(status, headers: headers)
    }

    /// Creates a response with a scripted body.
    public static func script(
        _ steps: [Step],
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        framing: Framing = .automatic
    ) -> Self {
        var response = Self(status, headers: headers, content: .script(steps))
        response.framing = framing
        return response
    }

    /// Creates a response with a body that a closure writes while it is sent.
    public static func stream(
        _ status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        _ write: @escaping @Sendable (ServerBodyWriter) async throws -> Void
    ) -> Self {
        Self(status, headers: headers, content: .stream(write))
    }

    /// Creates a response from exact bytes.
    ///
    /// The request's head has already been read; `.awaitHead` waits for the next one.
    public static func raw(_ script: RawScript) -> Self { Self(content: .raw(script)) }

    /// Creates a response from exact text, after which the connection is closed.
    public static func raw(_ text: String) -> Self { raw([.send(text), .close]) }

    /// A response that sends nothing and keeps the connection open until the peer closes it.
    public static var silence: Self { raw([.hold]) }

    /// Returns a copy of the response that is sent after a delay; see ``delay``.
    public func delayed(by time: Duration) -> Self {
        var response = self
        response.delay += time
        return response
    }
}
