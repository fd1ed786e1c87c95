// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Dispatch
import Foundation

nonisolated struct Reading: Codable, Sendable {
    var celsius: Double
}

nonisolated struct Summary: Sendable {
    var count: Int
    var warmest: Double

    init(_ readings: [Reading]) {
        count = readings.count
        warmest = readings.map(\.celsius).max() ?? 0
    }
}

// snippet.converting
/// The summary is made off the caller's actor; the main actor only shows it.
@MainActor func show(_ site: Resource, in label: (String) -> Void) async throws {
    let summary = try await site["stations/bergen"].call(.get, as: [Reading].self).map { Summary($0) }.send()
    label("\(summary.count) readings, at most \(summary.warmest)")
}
// snippet.end

// snippet.chain
func words(_ site: Resource) -> Call<String> {
    site["stations/bergen"].call(.get, as: [Reading].self)
        .map { Summary($0) }
        .map { "\($0.count) readings" }
}
// snippet.end

// snippet.actor
actor Archive {
    private(set) var readings: [Reading] = []

    /// Fetches and stores: waiting doesn't block a thread, and the stored data belongs to this actor.
    func refresh(from station: Resource) async throws {
        let fresh = try await station.get(as: [Reading].self)
        readings.append(contentsOf: fresh)
    }
}
// snippet.end

// snippet.queue
/// For code without `async` whose data doesn't belong to the main actor.
func map(_ station: Resource, save: @escaping @Sendable ([Reading]) -> Void) {
    station.call(.get, as: [Reading].self).start(on: globalConcurrentExecutor) { result in
        if case .success(let readings) = result { save(readings) }
    }
}
// snippet.end
