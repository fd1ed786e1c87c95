// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// An answer that is given without a network: a body with a status, header fields and a delay, a failure, or several in turn.
///
/// It stands in for the transport alone: preflights, authorizers, redirects, validators, coders and post-processors
/// run as for a real answer. See ``Settings/fixtures``.
public struct Fixture: Sendable {
    enum Content: Sendable {
        case none
        case bytes(ByteChunk, isText: Bool)
        case value(any Encodable & Sendable)
        case file(path: String)
        case failure(TransportFailure)
        case sequence(FixtureSequence)
    }

    /// What follows the last answer of a sequence.
    public enum AfterLast: Sendable, Hashable {
        /// The last answer stays.
        case repeats
        /// The request fails with ``CumulusError/Code/fixture``.
        case fails
    }

    let content: Content
    /// The status of the answer.
    public let status: HTTPResponse.Status
    /// The header fields of the answer; `Content-Type` is filled in where they lack it, `Content-Length` always.
    public let headers: HTTPFields
    /// How long the answer takes, on the request's clock; its time limits hold.
    public let delay: Duration
    /// Over how long the body comes, after the delay; see ``arriving(over:)``.
    public private(set) var duration = Duration.zero

    private init(
        _ content: Content,
        _ status: HTTPResponse.Status = .ok,
        _ headers: Headers = [:],
        _ delay: Duration = .zero,
        type: MediaType? = nil
    ) {
        self.content = content
        self.status = status
        var headers = HTTPFields(headers)
        if let type, headers[.contentType] == nil { headers[.contentType] = type.description }
        self.headers = headers
        self.delay = delay
    }

    /// A value, encoded by the coder for its type, or for what the request accepts, or as JSON.
    public static func value(
        _ value: some Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.value(value), status, headers, delay) }

    /// A value as JSON, by the coder that the settings have for it.
    public static func json(
        _ value: some Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.value(value), status, headers, delay, type: .json) }

    /// A dynamic value as JSON.
    public static func json(
        _ value: JSON,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.bytes(ByteChunk(value.encoded()), isText: false), status, headers, delay, type: .json) }

    /// Members of several types as a JSON object, in the order written: `.json(["name": name, "count": 7])`; `nil` is
    /// `null`.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.value(MixedObject(members)), status, headers, delay, type: .json) }

    /// A text of JSON, given as it is; a string of JSON is `.json(JSON.string(text))`.
    public static func json(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.bytes(ByteChunk(text), isText: false), status, headers, delay, type: .json) }

    /// A text in UTF-8; called what the request accepts, else `text/plain`.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.bytes(ByteChunk(text), isText: true), status, headers, delay) }

    /// Bytes; called what `type` says, else what the request accepts, else by what an image begins with.
    public static func bytes(
        _ bytes: some ByteStorage,
        type: MediaType? = nil,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.bytes(ByteChunk(bytes), isText: false), status, headers, delay, type: type) }

    /// A file, opened and read when the answer is given; its type is told by the extension of its name.
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

    /// A head without a body.
    public static func status(
        _ status: HTTPResponse.Status,
        headers: Headers = [:],
        delay: Duration = .zero
    ) -> Fixture { Fixture(.none, status, headers, delay) }

    /// A failure as of a transport, in place of an answer.
    public static func failure(_ failure: TransportFailure, delay: Duration = .zero) -> Fixture {
        Fixture(.failure(failure), .ok, [:], delay)
    }

    /// The same answer, whose body comes bit by bit over a time, on the request's clock: its progress can be watched, and
    /// it can be cancelled half-way, as a real one's.
    ///
    /// The call's deadline holds. Of a sequence, each answer has its own.
    public func arriving(over duration: Duration) -> Fixture {
        var fixture = self
        fixture.duration = duration
        return fixture
    }

    /// Several answers, one a request in the order in which requests come, counted over all copies of the fixture.
    public static func sequence(_ answers: [Fixture], then afterLast: AfterLast = .repeats) -> Fixture {
        Fixture(.sequence(FixtureSequence(answers, then: afterLast)))
    }
}

extension Fixture {
    private init(_ fixture: Fixture, delay: Duration) {
        content = fixture.content
        status = fixture.status
        headers = fixture.headers
        self.delay = delay
    }

    /// The same answer, later by a time on the request's clock.
    public func delayed(by time: Duration) -> Fixture { Fixture(self, delay: delay + time) }
}

extension Fixture: CustomStringConvertible {
    /// What it answers, without the body.
    public var description: String {
        switch content {
        case .none: "\(status.code)"
        case .bytes(let bytes, _): "\(status.code) with \(bytes.count) bytes"
        case .value(let value): "\(status.code) with a \(type(of: value))"
        case .file(let path): "\(status.code) with the file \(path)"
        case .failure(let failure): "the failure \(failure.kind)"
        case .sequence(let sequence): "\(sequence.count) answers in turn"
        }
    }
}
