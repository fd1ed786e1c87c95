// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import Foundation
import HTTPTypes
import Measure

// What a cache costs a GET, over a transport that answers at once: without one, a hit in memory, a response that is
// stored anew each time, and a hit on a disk of 1 MB and 20 MB.

/// Answers without a network, with so many bytes that stay fresh for a day.
struct InstantTransport: Transport {
    let length: Int
    private let now = HTTPDate(Date()).description

    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        // As NIOTransport: no task is needed to cancel a request by.
        capabilities.attachesExchanges = true
        return capabilities
    }

    func identity(at origin: Origin) -> TransportIdentity { .anonymous }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // As most servers, it says when.
        let headers: HTTPFields = [
            .cacheControl: "max-age=86400", .contentType: "text/plain", .eTag: "\"1\"", .date: now,
        ]
        return TransportResponse(
            head: ResponseHead(status: .ok, headers: headers),
            body: ResponseBody(complete: ByteChunk([UInt8](repeating: 65, count: length)))
        )
    }
}

func site(_ length: Int, _ cache: ResponseCache?) -> Resource {
    Resource("https://a.example", transport: InstantTransport(length: length)) { rules in
        if let cache { rules.cache = cache }
    }["x"]
}

/// Gets it; fails if it doesn't come from where it should.
func get(_ site: Resource, isHit: Bool, headers: Headers = [:]) async throws {
    let response = try await site.get(headers: headers)
    // Its text, since `cacheStatus` reads that anew each time.
    let note = response.storeNote
    guard note?.hasPrefix("hit") ?? false == isHit else { fatalError(note ?? "no cache") }
}

/// Off the main actor, to which each call would come back.
@concurrent
func run() async throws {
    let measure = Measure()
    let plain = site(1_000, nil)
    try await measure.run("GET without a cache, 1 kB", times: 20_000) { try await get(plain, isHit: false) }
    let memory = site(1_000, .memory(megabytes: 50))
    try await get(memory, isHit: false)
    try await measure.run("hit in memory, 1 kB", times: 20_000) { try await get(memory, isHit: true) }
    try await measure.run("stored anew in memory, 1 kB", times: 20_000) {
        try await get(memory, isHit: false, headers: [.cacheControl: "no-cache"])
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (length, runs) in [(1_000_000, 200), (20_000_000, 20)] {
        let disk = site(length, .disk("\(folder)/\(length)", megabytes: 200))
        try await get(disk, isHit: false)
        let result = try await measure.run("hit on a disk, \(length / 1_000_000) MB", times: runs) {
            try await get(disk, isHit: true)
        }
        print("    \(((Double(length) / result.nanoseconds) * 10).rounded() / 10) GB a second")
    }
}

try await run()
