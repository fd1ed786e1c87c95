// SPDX-License-Identifier: Apache-2.0

/// What a call makes of its response.
enum CallOutput<Output: Sendable>: Sendable {
    /// The response in memory, or a value from it.
    case memory(ResponseForm<Output>)
    case made(Made)
    /// There is no call: sending it throws the error.
    case failure(any Error)

    /// An output that is made in another way.
    struct Made: Sendable {
        /// The type that is decoded from the body, which determines `Accept`.
        let wanted: (any Any.Type)?
        /// Whether only one call may make it at a time: a restarted one waits until the last one has ended.
        let isExclusive: Bool
        let perform: @Sendable (CallRequest, CallBeginning?) async throws -> Output
    }

    var wanted: (any Any.Type)? {
        switch self {
        case .memory(let form): form.wanted
        case .made(let made): made.wanted
        case .failure: nil
        }
    }

    var isExclusive: Bool { if case .made(let made) = self { made.isExclusive } else { false } }
}
