// SPDX-License-Identifier: Apache-2.0

/// The bytes that requests moved, and how long each of them took where that is measured.
struct Tally {
    var bytes = 0
    /// In nanoseconds.
    var latencies: [UInt64] = []

    mutating func add(_ other: Tally) {
        bytes += other.bytes
        latencies += other.latencies
    }

    /// Members of the printed object for the latencies, each after a comma; empty without latencies.
    var members: String {
        guard !latencies.isEmpty else { return "" }
        let sorted = latencies.sorted()
        return [("p50", 500), ("p99", 990), ("p999", 999), ("max", 1000)]
            .map { name, permille in
                let latency = sorted[min(sorted.count - 1, sorted.count * permille / 1000)]
                return ", \"\(name)_ms\": \(Double(latency) / 1e6)"
            }
            .joined()
    }
}
