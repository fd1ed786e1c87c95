// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// A response without a network: a body with a status, header fields and a delay; a failure; or several of these in
/// sequence.
///
/// It replaces only the transport: preflights, authorizers, redirects, validators, coders and post-processors run as
/// for a real response. See `Resource.Settings.fixtures`.
public struct Fixture: ValueResponse {
    enum Content: Sendable {
        case none
        case bytes(ByteChunk, isText: Bool)
        case value(any Encodable & Sendable)
        case file(path: String)
        case failure(any Error)
        case sequence(AnswerSequence<Fixture>)
    }

    /// How a sequence continues after its last response.
    public enum AfterLast: Sendable, Hashable {
        /// The last response is repeated.
        case repeats
        /// The request fails with `CumulusError.Code.fixture`.
        case fails
    }

    let content: Content
    /// The status of the response.
    public let status: HTTPResponse.Status
    /// The header fields of the response; a missing `Content-Type` is added, and `Content-Length` is always set.
    public let headers: HTTPFields
    /// The delay before the response, on the request's clock; the request's time limits apply.
    public private(set) var delay: Duration
    /// The time that the body takes to arrive after the delay; see ``arriving(over:)``.
    public private(set) var duration = Duration.zero
    /// Why the header fields can't be sent.
    let problem: FixtureProblem?

    private init(
        _ content: Content,
        _ status: HTTPResponse.Status = .ok,
        _ headers: Headers = [:],
        _ delay: Duration = .zero,
        type: MediaType? = nil
    ) {
        self.content = content
        self.status = status
        self.delay = delay
        do throws(Headers.Malformation) {
            var headers = try headers.fields()
            if let type, headers[.contentType] == nil { headers[.contentType] = type.description }
            (self.headers, problem) = (headers, nil)
        } catch {
            (self.headers, problem) = ([:], FixtureProblem(error.description))
        }
    }

    /// Creates a fixture with a value, encoded with the coder for its type, or for the request's `Accept`, or as JSON.
    public static func value(
        _ value: some Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.value(value), status, headers, delay) }

    /// Creates a fixture with a value as JSON, which the settings' coder encodes when the response is created.
    public static func json(
        encoding value: some Encodable & Sendable,
        _ status: HTTPResponse.Status,
        headers: Headers
    ) -> Fixture { Fixture(.value(value), status, headers, type: .json) }

    /// Creates a fixture with a body of bytes.
    ///
    /// Without a `Content-Type`, the media type is the accepted one, otherwise the image type that the first bytes
    /// indicate.
    public static func response(_ status: HTTPResponse.Status, headers: Headers, body: [UInt8]) -> Fixture {
        Fixture(body.isEmpty ? .none : .bytes(ByteChunk(body), isText: false), status, headers)
    }

    /// Creates a fixture with text in UTF-8, with the media type that the request accepts, otherwise `text/plain`.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.bytes(ByteChunk(text), isText: true), status, headers, delay) }

    /// Creates a fixture with a file, which is opened and read when the response is created.
    ///
    /// Its extension determines the media type.
    public static func file(
        _ file: some Locator,
        type: MediaType? = nil,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture {
        let path = file.locatorText
        return Fixture(.file(path: path), status, headers, delay, type: type ?? MediaType.ofFile(path))
    }

    /// Creates a fixture with a failure, usually a transport's, instead of a response.
    public static func failure(_ error: any Error) -> Fixture { Fixture(.failure(error)) }

    /// Creates a fixture with a transport failure after a delay.
    public static func failure(_ failure: TransportFailure, delay: Duration) -> Fixture {
        Fixture(.failure(failure), .ok, [:], delay)
    }

    /// Returns a copy of the fixture, delayed by an additional time on the request's clock.
    public func delayed(by time: Duration) -> Fixture {
        var fixture = self
        fixture.delay += time
        return fixture
    }

    /// Returns a copy of the fixture whose body arrives gradually, on the request's clock.
    ///
    /// Its progress can be observed, and its transfer can be cancelled midway, like that of a real response.
    ///
    /// The call's deadline applies. In a sequence, each response has its own duration.
    public func arriving(over duration: Duration) -> Fixture {
        var fixture = self
        fixture.duration = duration
        return fixture
    }

    /// Creates a fixture with several responses, one for each request in order.
    ///
    /// All copies of the fixture share the count.
    public static func sequence(_ answers: [Fixture], then afterLast: AfterLast = .repeats) -> Fixture {
        Fixture(.sequence(AnswerSequence(answers, repeatsLast: afterLast == .repeats)))
    }
}

extension Fixture: CustomStringConvertible {
    /// The response, without the body.
    public var description: String {
        switch content {
        case .none: "\(status.code)"
        case .bytes(let bytes, _): "\(status.code) with \(bytes.count) bytes"
        case .value(let value): "\(status.code) with a \(type(of: value))"
        case .file(let path): "\(status.code) with the file \(path)"
        case .failure(let failure as TransportFailure): "the failure \(failure.kind)"
        case .failure(let error): "the failure \(error)"
        case .sequence(let sequence): "\(sequence.count) responses in turn"
        }
    }
}
