// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Measurement: Codable, Sendable, Equatable {
    var station: String
    var celsius: Double
}

// snippet.read
/// The warmest measurement of a feed that may never end: only one line is in memory at a time.
func warmest(in feed: Resource) async throws -> Measurement? {
    var warmest: Measurement?
    for try await measurement in try await feed.call(.get).stream().jsonLines(as: Measurement.self) {
        if measurement.celsius > warmest?.celsius ?? -.infinity { warmest = measurement }
    }
    return warmest
}
// snippet.end

// snippet.write
/// Sends each measurement as it is made.
func report(_ measurements: AsyncStream<Measurement>, to feed: Resource) async throws {
    try await feed.post(.jsonLines(measurements)).requireSuccess()
}
// snippet.end
