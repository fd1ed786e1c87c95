// SPDX-License-Identifier: Apache-2.0

/// Runs a client through a workload and prints one object with what it has cost.
public enum Runner {
    /// Runs a tenth to warm up, then the whole, timed.
    public static func measure(_ client: some Client, _ workload: Workload, version: String) async throws {
        if workload.count > 1 { _ = try await run(client, workload, max(workload.count / 10, workload.inFlight)) }
        let meter = Meter()
        let tally = try await run(client, workload, workload.count)
        let used = meter.read()
        print(
            "{\"version\": \"\(version)\", \"requests\": \(workload.count), \"bytes\": \(tally.bytes), "
                + "\"seconds\": \(used.wall), \"cpu\": \(used.processor), \"allocations\": \(used.allocations), "
                + "\"peak_kb\": \(Meter.peakMemory())\(tally.members)}"
        )
    }

    private static func run(_ client: some Client, _ workload: Workload, _ count: Int) async throws -> Tally {
        if workload.kind == .paced { return try await paced(client, workload, count) }
        guard workload.inFlight > 1 else { return try await sequence(client, workload, count) }
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            for index in 0..<workload.inFlight {
                let share = (count + index) / workload.inFlight
                group.addTask { try await sequence(client, workload, share) }
            }
            return try await group.reduce(into: Tally()) { $0.add($1) }
        }
    }

    private static func sequence(_ client: some Client, _ workload: Workload, _ count: Int) async throws -> Tally {
        var tally = Tally()
        guard workload.kind == .latency else {
            for _ in 0..<count { tally.bytes += try await client.run(workload) }
            return tally
        }
        tally.latencies.reserveCapacity(count)
        for _ in 0..<count {
            let start = Meter.nanoseconds
            tally.bytes += try await client.run(workload)
            tally.latencies.append(Meter.nanoseconds - start)
        }
        return tally
    }

    private static func paced(_ client: some Client, _ workload: Workload, _ count: Int) async throws -> Tally {
        // Not returned by the group's tasks: reading thousands of results would hold up the last requests.
        let tally = SharedTally()
        try await withThrowingDiscardingTaskGroup { group in
            for await time in Pace.times(count, perSecond: workload.inFlight) {
                group.addTask {
                    let bytes = try await client.run(workload)
                    tally.add(bytes, latency: Meter.nanoseconds - time)
                }
            }
        }
        return tally.contents
    }
}
