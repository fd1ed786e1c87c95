// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Members of responses and errors in other libraries, each with a message that names the remedy.
extension Response {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var ok: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isOK: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "use `bytes`, `data` or `text` for the body, or `decode(as:)` for a value")
    public var body: Data { Data() }

    /// A name that other libraries use.
    @available(*, unavailable, message: "use `text` for the body's text")
    public var string: String { "" }

    /// A name that other libraries use.
    @available(*, unavailable, message: "use `elapsed` for the time")
    public var duration: Duration { .zero }

    /// Caching belongs to another module.
    @available(*, unavailable, message: "use `cacheStatus` of the product CumulusCache: `import CumulusCache`")
    public var isFromCache: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "decode a value with `decode(as: Post.self)`")
    public func json<Value>(as type: Value.Type) throws -> Value { throw CancellationError() }
}

extension CumulusError {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `statusCode`, or `response?.status`")
    public var status: Int { 0 }

    /// A name that other libraries use.
    @available(*, unavailable, message: "compare the status: `error.statusCode == 404`")
    public var isNotFound: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "compare the code: `error.code == .timeout`")
    public var isTimeout: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isTransient`")
    public var isRetryable: Bool { false }

    /// A name that other libraries use.
    @available(*, unavailable, message: "cancellation is Swift's own error: `catch is CancellationError`")
    public var isCancelled: Bool { false }
}

extension CumulusError {
    /// A status is compared.
    @available(
        *,
        unavailable,
        message: "compare the status: `catch let error as CumulusError where error.statusCode == 404`"
    )
    public static var notFound: Code { .status }

    /// A status is compared.
    @available(
        *,
        unavailable,
        message: "compare the status: `catch let error as CumulusError where error.statusCode == 404`"
    )
    public static func status(_ code: Int) -> Code { .status }

    /// A code has its own type.
    @available(*, unavailable, message: "catch the code: `catch CumulusError.Code.timeout`")
    public static var timeout: Code { .timeout }
}

extension CumulusError.Code {
    /// Several codes share a kind.
    @available(*, unavailable, message: "use the kind for several codes: `error.kind == .unreachable`")
    public static var offline: CumulusError.Code { .connect }

    /// Several codes share a kind.
    @available(*, unavailable, message: "use the kind for several codes: `error.kind == .connection`")
    public static var connection: CumulusError.Code { .connect }

    /// Cancellation is Swift's own error.
    @available(*, unavailable, message: "cancellation is Swift's own error: `catch is CancellationError`")
    public static var cancelled: CumulusError.Code { .timeout }
}

extension ErrorDecoder {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `.decoding(ShopError.self)`")
    public static func json<Failure>(_ type: Failure.Type) -> ErrorDecoder { .problemDetails }
}

extension RequestGroup.Outcome {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }
}

extension RequestGroup.Values {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `isSuccessful`")
    public var isSuccess: Bool { false }
}

extension RunningCall {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `try await value`")
    public var response: Never? { nil }
}

extension ServerSentEvent {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `type`")
    public var name: String { type }

    /// A stream decodes its events.
    @available(*, unavailable, message: "decode the events of a stream: `call.events(as: Delta.self)`")
    public func decode<Value>(as type: Value.Type) throws -> Value { throw CancellationError() }
}

extension TransferProgress {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `fractionCompleted`")
    public var fraction: Double? { nil }
}

extension Headers {
    /// A field is a subscript.
    @available(*, unavailable, message: "use a subscript for a field: `headers[.authorization]`")
    public var authorization: String? {
        get { nil }
        set {}
    }
}

extension RequestURL {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `description`, or `redacted` for logs")
    public var absoluteString: String { "" }
}

extension Secret {
    /// A name that other libraries use.
    @available(*, unavailable, message: "write `revealed`")
    public var value: Value { revealed }
}
