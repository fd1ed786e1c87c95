// SPDX-License-Identifier: Apache-2.0

/// Runs a client through a workload and prints one object with what it has cost.
public enum Runner {
    /// Runs a tenth to warm up, then the whole, timed.
    public static func measure(_ client: some Client, _ workload: Workload, version: String) async throws {
        if workload.count > 1 { _ = try await repeated(client, workload, max(workload.count / 10, workload.inFlight)) }
        let meter = Meter()
        let bytes = try await repeated(client, workload, workload.count)
        let used = meter.read()
        print(
            "{\"version\": \"\(version)\", \"requests\": \(workload.count), \"bytes\": \(bytes), "
                + "\"seconds\": \(used.wall), \"cpu\": \(used.processor), \"allocations\": \(used.allocations), "
                + "\"peak_kb\": \(Meter.peakMemory())}"
        )
    }

    private static func repeated(_ client: some Client, _ workload: Workload, _ count: Int) async throws -> Int {
        guard workload.inFlight > 1 else { return try await sequence(client, workload, count) }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<workload.inFlight {
                let share = (count + index) / workload.inFlight
                group.addTask { try await sequence(client, workload, share) }
            }
            return try await group.reduce(0, +)
        }
    }

    private static func sequence(_ client: some Client, _ workload: Workload, _ count: Int) async throws -> Int {
        var bytes = 0
        for _ in 0..<count { bytes += try await client.run(workload) }
        return bytes
    }
}
