// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

// Statuses are compared by their codes: `response.status == .notFound`. HTTP Types has names for most; here are the
// others of IANA's registry.
extension HTTPResponse.Status {
    /// 102, RFC 2518 section 10.1.
    public static var processing: Self { .init(code: 102, reasonPhrase: "Processing") }
    /// 104, registered for resumable uploads.
    public static var uploadResumptionSupported: Self {
        .init(code: 104, reasonPhrase: "Upload Resumption Supported")
    }
    /// 207, RFC 4918 section 11.1.
    public static var multiStatus: Self { .init(code: 207, reasonPhrase: "Multi-Status") }
    /// 208, RFC 5842 section 7.1.
    public static var alreadyReported: Self { .init(code: 208, reasonPhrase: "Already Reported") }
    /// 226, RFC 3229 section 10.4.1.
    public static var imUsed: Self { .init(code: 226, reasonPhrase: "IM Used") }
    /// 305, deprecated, RFC 9110 section 15.4.6.
    public static var useProxy: Self { .init(code: 305, reasonPhrase: "Use Proxy") }
    /// 306, reserved, RFC 9110 section 15.4.7.
    public static var switchProxy: Self { .init(code: 306, reasonPhrase: "Switch Proxy") }
    /// 402, reserved, RFC 9110 section 15.5.3.
    public static var paymentRequired: Self { .init(code: 402, reasonPhrase: "Payment Required") }
    /// 418, reserved, RFC 9110 section 15.5.19.
    public static var teapot: Self { .init(code: 418, reasonPhrase: "I'm a Teapot") }
    /// 423, RFC 4918 section 11.3.
    public static var locked: Self { .init(code: 423, reasonPhrase: "Locked") }
    /// 424, RFC 4918 section 11.4.
    public static var failedDependency: Self { .init(code: 424, reasonPhrase: "Failed Dependency") }
    /// 506, RFC 2295 section 8.1.
    public static var variantAlsoNegotiates: Self { .init(code: 506, reasonPhrase: "Variant Also Negotiates") }
    /// 507, RFC 4918 section 11.5.
    public static var insufficientStorage: Self { .init(code: 507, reasonPhrase: "Insufficient Storage") }
    /// 508, RFC 5842 section 7.2.
    public static var loopDetected: Self { .init(code: 508, reasonPhrase: "Loop Detected") }
    /// 510, made historic, RFC 2774 section 7.
    public static var notExtended: Self { .init(code: 510, reasonPhrase: "Not Extended") }
}

extension HTTPResponse.Status {
    /// Whether the code is 1xx: the final response follows.
    public var isInformational: Bool { kind == .informational }
    /// Whether the code is 2xx.
    public var isSuccessful: Bool { kind == .successful }
    /// Whether the code is 3xx, including 304.
    public var isRedirection: Bool { kind == .redirection }
    /// Whether the code is 4xx: the request is at fault.
    public var isClientError: Bool { kind == .clientError }
    /// Whether the code is 5xx: the server is at fault.
    public var isServerError: Bool { kind == .serverError }
}
