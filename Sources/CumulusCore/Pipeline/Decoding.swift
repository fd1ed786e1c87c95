// SPDX-License-Identifier: Apache-2.0

/// Decodes a response's bytes into a value, with the coder that ``CoderRegistry`` chooses.
struct Decoding: Sendable {
    let coders: CoderRegistry

    /// Bodies longer than this are decoded off the caller's actor.
    private static let inlineLimit = 65_536

    func decode<Value: Decodable & Sendable>(_ response: Response, as type: Value.Type) async throws -> Value {
        response.bytes.count <= Decoding.inlineLimit
            ? try decodeHere(response, as: type) : try await decodeElsewhere(response, as: type)
    }

    @concurrent
    private func decodeElsewhere<Value: Decodable & Sendable>(
        _ response: Response,
        as type: Value.Type
    ) async throws -> Value { try decodeHere(response, as: type) }

    private func decodeHere<Value: Decodable>(_ response: Response, as type: Value.Type) throws -> Value {
        try Stage.run(.decoding, .decoding, request: response.request, response: response) {
            try response.requireDecodedBody()
            return try coders.decode(type, from: response.bytes, labeled: response.label)
        }
    }
}
