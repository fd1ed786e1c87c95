// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The results of the requests of one task, or of all.
struct BenchResult: Sendable {
    var latencies = LatencyHistogram()
    /// How often each status was received.
    var statuses: [Int: Int] = [:]
    /// How often each error occurred, by its code.
    private(set) var errors: [String: Int] = [:]
    /// What the first error of each code said.
    private(set) var messages: [String: String] = [:]
    var bytes: Int64 = 0

    /// Counts an error.
    mutating func add(_ error: any Error) {
        let known = error as? CumulusError
        let code = known.map { "\($0.code)" } ?? "other"
        errors[code, default: 0] += 1
        if messages[code] == nil {
            messages[code] = TerminalText.harmless(known?.message ?? "\(error)", keepsLines: false)
        }
    }

    mutating func add(_ other: BenchResult) {
        latencies.add(other.latencies)
        statuses.merge(other.statuses) { $0 + $1 }
        errors.merge(other.errors) { $0 + $1 }
        messages.merge(other.messages) { first, _ in first }
        bytes += other.bytes
    }

    private static let percentiles = [50.0, 75, 90, 95, 99, 99.9]

    /// The report for people.
    func text(of plan: BenchPlan, elapsed: Duration) -> String {
        let seconds = elapsed / .seconds(1)
        let rate = seconds > 0 ? Double(latencies.count) / seconds : 0
        var lines = [
            "Requests:     \(latencies.count) in \(BenchResult.rounded(seconds)) s, \(plan.concurrency) at a time",
            "Rate:         \(BenchResult.rounded(rate)) requests/s, \(Amount.rate(Double(bytes) / max(seconds, 1e-9)))",
        ]
        let statuses = statuses.sorted { $0.key < $1.key }.map { "\($0.value) x \($0.key)" }
        lines.append("Statuses:     \(statuses.isEmpty ? "none" : statuses.joined(separator: ", "))")
        for (code, count) in errors.sorted(by: { $0.key < $1.key }) {
            lines.append("Errors:       \(count) x \(code): \(messages[code] ?? "")")
        }
        guard latencies.count > 0 else { return lines.joined(separator: "\n") }
        lines.append("Latency:      mean \(BenchResult.milliseconds(latencies.mean)) ms")
        for percent in BenchResult.percentiles {
            let value = Double(latencies.value(atPercentile: percent))
            lines.append("  \(BenchResult.name(percent)) \(BenchResult.milliseconds(value)) ms")
        }
        lines.append("  max    \(BenchResult.milliseconds(Double(latencies.greatest))) ms")
        return lines.joined(separator: "\n")
    }

    /// The report for programs; times are in seconds.
    func json(of plan: BenchPlan, elapsed: Duration) -> JSON {
        let seconds = elapsed / .seconds(1)
        let percentiles = BenchResult.percentiles.map { percent in
            ("p\(BenchResult.plain(percent))", JSON(Double(latencies.value(atPercentile: percent)) / 1e6))
        }
        let latency =
            [("mean", JSON(latencies.mean / 1e6))] + percentiles + [("max", JSON(Double(latencies.greatest) / 1e6))]
        return [
            "requests": JSON(latencies.count),
            "concurrency": JSON(plan.concurrency),
            "seconds": JSON(seconds),
            "requests_per_second": JSON(seconds > 0 ? Double(latencies.count) / seconds : 0),
            "bytes": JSON(bytes),
            "statuses": .object(JSON.Object(statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", JSON($0.value)) })),
            "errors": .object(JSON.Object(errors.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            "latency": .object(JSON.Object(latency)),
        ]
    }

    private static func plain(_ percent: Double) -> String {
        percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
    }

    private static func name(_ percent: Double) -> String {
        let name = "\(plain(percent))%"
        return name + String(repeating: " ", count: max(0, 6 - name.utf8.count))
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private static func milliseconds(_ microseconds: Double) -> String { "\((microseconds / 10).rounded() / 100)" }
}
