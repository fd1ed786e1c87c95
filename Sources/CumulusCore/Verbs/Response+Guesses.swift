// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Members of responses and errors in other libraries, each with a message that names the remedy.
extension Response {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var ok: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isOK: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `bytes`, `data` or `text` for the body, or `decode(as:)` for a value")
    public var body: Data { Data() }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `text` for the body's text")
    public var string: String { "" }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "use `elapsed` for the time")
    public var duration: Duration { .zero }

    /// Unavailable: caching belongs to a different module.
    @available(*, unavailable, message: "use `cacheStatus` of the product CumulusCache: `import CumulusCache`")
    public var isFromCache: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "decode a value with `decode(as: Post.self)`")
    public func json<Value>(as type: Value.Type) throws -> Value { throw CancellationError() }
}

extension CumulusError {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `statusCode`, or `response?.status`")
    public var status: Int { 0 }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "compare the status: `error.statusCode == 404`")
    public var isNotFound: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "compare the code: `error.code == .timeout`")
    public var isTimeout: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isTransient`")
    public var isRetryable: Bool { false }

    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "cancellation is Swift's own error: `catch is CancellationError`")
    public var isCancelled: Bool { false }
}

extension CumulusError {
    /// Unavailable: a status is compared.
    @available(
        *,
        unavailable,
        message: "compare the status: `catch let error as CumulusError where error.statusCode == 404`"
    )
    public static var notFound: Code { .status }

    /// Unavailable: a status is compared.
    @available(
        *,
        unavailable,
        message: "compare the status: `catch let error as CumulusError where error.statusCode == 404`"
    )
    public static func status(_ code: Int) -> Code { .status }

    /// Unavailable: a code has its own type.
    @available(*, unavailable, message: "catch the code: `catch CumulusError.Code.timeout`")
    public static var timeout: Code { .timeout }
}

extension CumulusError.Code {
    /// Unavailable: several codes share a kind.
    @available(*, unavailable, message: "to match several codes, compare the kind: `error.kind == .unreachable`")
    public static var offline: CumulusError.Code { .connect }

    /// Unavailable: several codes share a kind.
    @available(*, unavailable, message: "to match several codes, compare the kind: `error.kind == .connection`")
    public static var connection: CumulusError.Code { .connect }

    /// Unavailable: cancellation is Swift's own error.
    @available(*, unavailable, message: "cancellation is Swift's own error: `catch is CancellationError`")
    public static var cancelled: CumulusError.Code { .timeout }
}

extension ErrorDecoder {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `.decoding(ShopError.self)`")
    public static func json<Failure>(_ type: Failure.Type) -> ErrorDecoder { .problemDetails }
}

extension RequestGroup.Outcome {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }
}

extension RequestGroup.Values {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }
}

extension RunningCall {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `try await value`")
    public var response: Never? { nil }
}

extension ServerSentEvent {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `type`")
    public var name: String { type }

    /// Unavailable: a stream decodes its events.
    @available(*, unavailable, message: "decode the events of a stream: `call.events(as: Delta.self)`")
    public func decode<Value>(as type: Value.Type) throws -> Value { throw CancellationError() }
}

extension TransferProgress {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `fractionCompleted`")
    public var fraction: Double? { nil }
}

extension Headers {
    /// Unavailable: fields are accessed by a subscript.
    @available(*, unavailable, message: "use a subscript for a field: `headers[.authorization]`")
    public var authorization: String? {
        get { nil }
        set {}
    }
}

extension RequestURL {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `description`, or `redacted` for logs")
    public var absoluteString: String { "" }
}

extension Secret {
    /// Unavailable: a name that other libraries use.
    @available(*, unavailable, message: "write `revealed`")
    public var value: Value { revealed }
}
