// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

// snippet.follow
/// Calls a function with each value of a key in etcd, through restarts of the server.
nonisolated(nonsending) func followKey(
    _ key: String,
    of etcd: Resource,
    receive: (String) async throws -> Void
) async throws {
    struct Line: Decodable, Sendable {
        struct Result: Decodable, Sendable { var events: [Event]? }
        struct Event: Decodable, Sendable { var kv: Pair }
        struct Pair: Decodable, Sendable {
            var value: Data?
            var mod_revision: String
        }
        var result: Result
    }
    let name = Data(key.utf8).base64EncodedString()
    let start: @Sendable (Int) -> JSON = {
        ["create_request": ["key": .string(name), "start_revision": .number(.init($0))]]
    }
    let watch = etcd["v3/watch"].call(.post, body: start(1))
    let lines = watch.follow(as: Line.self, cursor: { $0.result.events?.last.flatMap { Int($0.kv.mod_revision) } }) {
        $0.payload = .json(start($1 + 1))
    }
    for try await line in lines {
        for event in line.result.events ?? [] {
            try await receive(String(decoding: event.kv.value ?? Data(), as: UTF8.self))
        }
    }
}
// snippet.end
