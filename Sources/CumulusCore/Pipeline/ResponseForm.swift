// SPDX-License-Identifier: Apache-2.0

/// The form of a request's result: the response of any status, or a value of a successful one.
struct ResponseForm<Output: Sendable>: Sendable {
    /// Whether only a successful response is accepted.
    let needsSuccess: Bool
    let reading: Reading
    /// The type that is decoded, which determines `Accept` if no header does.
    let wanted: (any Any.Type)?

    init(needsSuccess: Bool, wanted: (any Any.Type)? = nil, reading: Reading) {
        self.needsSuccess = needsSuccess
        self.reading = reading
        self.wanted = wanted
    }

    /// The way in which the output is made from the response.
    enum Reading: Sendable {
        /// Directly: it neither waits nor fails.
        case whole(@Sendable (Response) -> Output)
        case decoded(@Sendable (Response, Decoding) async throws -> Output)
    }
}

extension ResponseForm {
    /// Returns the response, or throws if its status is refused.
    func judge(_ response: Response) throws -> Response {
        needsSuccess ? try response.requireSuccess() : response
    }
}

extension ResponseForm where Output == Response {
    /// The response of any status.
    static var whole: ResponseForm { ResponseForm(needsSuccess: false, reading: .whole { $0 }) }

    /// The response, which must be a success.
    static var successful: ResponseForm { ResponseForm(needsSuccess: true, reading: .whole { $0 }) }
}

extension ResponseForm where Output: Decodable {
    /// A decoded value.
    static func value(_ type: Output.Type) -> ResponseForm {
        ResponseForm(
            needsSuccess: true,
            wanted: type,
            reading: .decoded { response, decoding in try await decoding.decode(response, as: type) }
        )
    }
}

extension ResponseForm where Output == Void {
    /// Success without a value.
    static var success: ResponseForm { ResponseForm(needsSuccess: true, reading: .whole { _ in }) }
}
