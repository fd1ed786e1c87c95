// SPDX-License-Identifier: Apache-2.0

import Foundation

// Requests at the moments when a server closes connections.
extension ServerTrial {
    /// POSTs on connections that have rested for about as long as the server keeps them.
    package func idleTimeouts(_ count: Int, atOnce: Int) async -> TrialResult {
        await step("POST after \(server.idleSeconds) s, \(atOnce) at once", count, atOnce) { index in
            try await post(1_000)
            // From half a second before to half a second after it.
            try await Task.sleep(for: .seconds(server.idleSeconds - 0.5 + Double(index * 37 % 100) / 100))
            try await post(1_000)
        }
    }

    /// POSTs while the server restarts, a round for each time.
    package func restarts(_ count: Int, atOnce: Int, times: Int) async -> TrialResult {
        var rounds: [TrialResult] = []
        for _ in 0..<times {
            async let restarted: Void = restart()
            rounds.append(
                await step("", count / times, atOnce) { index in try await post(index % 2 == 0 ? 1_000 : 32_768) }
            )
            await restarted
        }
        return TrialResult(
            step: "POST during \(times) restarts, \(atOnce) at once",
            requests: rounds.reduce(0) { $0 + $1.requests },
            failures: rounds.reduce(0) { $0 + $1.failures },
            unanswered: rounds.reduce(0) { $0 + $1.unanswered },
            reasons: rounds.flatMap(\.reasons),
            time: rounds.reduce(.zero) { $0 + $1.time }
        )
    }

    /// Restarts the server shortly after the first requests.
    private func restart() async {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "sleep 0.1; \(server.restart)"]
        shell.standardError = FileHandle.nullDevice
        await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
            shell.terminationHandler = { _ in ended.resume() }
            do { try shell.run() } catch { ended.resume() }
        }
    }
}
