// SPDX-License-Identifier: Apache-2.0

/// What the caller of a request gets: the response whatever its status, or a value of a successful one.
struct ResponseForm<Output: Sendable>: Sendable {
    /// Whether only a successful response will do.
    let needsSuccess: Bool
    let reading: Reading

    /// How the output is made of the response.
    enum Reading: Sendable {
        /// As it is: nothing waits, and nothing can be wrong.
        case whole(@Sendable (Response) -> Output)
        case decoded(@Sendable (Response, Decoding) async throws -> Output)
    }
}

extension ResponseForm {
    /// The response, unless its status is not good enough.
    func judge(_ response: Response) throws -> Response {
        needsSuccess ? try response.requireSuccess() : response
    }
}

extension ResponseForm where Output == Response {
    /// The response as it is.
    static var whole: ResponseForm { ResponseForm(needsSuccess: false, reading: .whole { $0 }) }

    /// The response of a success.
    static var successful: ResponseForm { ResponseForm(needsSuccess: true, reading: .whole { $0 }) }
}

extension ResponseForm where Output: Decodable {
    /// A decoded value.
    static func value(_ type: Output.Type) -> ResponseForm {
        ResponseForm(
            needsSuccess: true,
            reading: .decoded { response, decoding in try await decoding.decode(response, as: type) }
        )
    }
}

extension ResponseForm where Output == Void {
    /// Success only.
    static var success: ResponseForm { ResponseForm(needsSuccess: true, reading: .whole { _ in }) }
}
