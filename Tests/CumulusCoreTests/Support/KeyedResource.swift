// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// A resource all of whose calls have one key.
struct KeyedResource: Sendable {
    private let resource: Resource
    private let key: CallKey

    init(_ resource: Resource, _ key: CallKey) {
        self.resource = resource
        self.key = key
    }

    private func keyed<Output>(_ call: Call<Output>) -> Call<Output> {
        var call = call
        call.key = key
        return call
    }

    func get(query: Query = [:]) async throws -> Response {
        try await keyed(resource.call(.get, query: query)).send()
    }

    func get<Value: Decodable & Sendable>(as type: Value.Type, query: Query = [:]) async throws -> Value {
        try await keyed(resource.call(.get, as: type, query: query)).send()
    }

    func post(_ payload: Payload) async throws -> Response {
        try await keyed(resource.call(.post, payload)).send()
    }

    func call(_ method: HTTPRequest.Method) -> Call<Response> { keyed(resource.call(method)) }
}

extension Resource {
    /// The same place, whose calls have a key.
    func keyed(_ key: CallKey) -> KeyedResource { KeyedResource(self, key) }
}
