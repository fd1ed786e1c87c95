// SPDX-License-Identifier: Apache-2.0

/// What the caller of a request gets: the response whatever its status, or a value of a successful one.
struct ResponseForm<Output: Sendable>: Sendable {
    let read: @Sendable (Response, Decoding) async throws -> Output
}

extension ResponseForm where Output == Response {
    /// The response as it is.
    static var whole: ResponseForm { ResponseForm { response, _ in response } }
}

extension ResponseForm where Output: Decodable {
    /// A decoded value.
    static func value(_ type: Output.Type) -> ResponseForm {
        ResponseForm { response, decoding in try await decoding.decode(response.requireSuccess(), as: type) }
    }
}

extension ResponseForm where Output == Void {
    /// Nothing but success.
    static var success: ResponseForm { ResponseForm { response, _ in try response.requireSuccess() } }
}
