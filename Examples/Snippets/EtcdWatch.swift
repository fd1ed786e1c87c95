// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

// snippet.follow
/// Calls a function with each value of a key in etcd, through restarts of the server.
func followKey(_ key: String, of etcd: Resource, receive: (String) async throws -> Void) async throws {
    struct Line: Decodable, Sendable {
        struct Result: Decodable, Sendable { var events: [Event]? }
        struct Event: Decodable, Sendable { var kv: Pair }
        struct Pair: Decodable, Sendable {
            var value: Data?
            var mod_revision: String
        }
        var result: Result
    }
    var revision = 1
    while true {
        let name = Data(key.utf8).base64EncodedString()
        let request: JSON = ["create_request": ["key": .string(name), "start_revision": .number(.init(revision))]]
        do {
            let stream = try await etcd["v3/watch"].call(.post, body: request).stream()
            for try await line in stream.jsonLines(as: Line.self) {
                for event in line.result.events ?? [] {
                    try await receive(String(decoding: event.kv.value ?? Data(), as: UTF8.self))
                    revision = (Int(event.kv.mod_revision) ?? revision) + 1
                }
            }
        } catch let error as CumulusError where error.isTransient {}
        // Not all watchers of a server that restarts connect at the same moment.
        try await Task.sleep(for: .milliseconds(.random(in: 100...1_000)))
    }
}
// snippet.end
