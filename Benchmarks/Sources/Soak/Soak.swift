// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import HTTPTypes
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Sends many requests over 64 connections to a server that resets, closes and stalls at random, cancels some at
/// random, and looks whether each ends once, nothing hangs, and memory stays where it was after the warm-up.
///
///     Soak [REQUESTS] [SEED]
@main
struct Soak {
    /// How many callers work at once.
    private static let callers = 64
    /// A request that takes longer hangs.
    private static let patience = Duration.seconds(30)
    /// By how much memory may grow after the warm-up.
    private static let allowedGrowth = 8.0

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { Int($0) }
        let count = (arguments.first ?? 200_000) ?? 200_000
        let seed = UInt64((arguments.dropFirst().first ?? 1) ?? 1)
        let server = try await LoopbackServer.start(routes: SoakService.install)
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = callers
        let transport = NIOTransport(configuration: configuration)
        let site = Resource(server.url, transport: transport) { $0.timeout = .seconds(10) }
        let warmUp = count / 4
        let began = ContinuousClock.now
        let tally = Mutex(SoakTally())
        try await round(0..<warmUp, of: site, seed, tally)
        let before = residentMegabytes()
        try await round(warmUp..<count, of: site, seed, tally)
        let after = residentMegabytes()
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let leftRunning = site.runningCalls.count
        await transport.shutdown()
        await server.shutdown()
        let result = tally.withLock { $0 }
        print("\(count) requests, seed \(seed), \(callers) callers: \(Int(Double(count) / seconds)) a second")
        for (name, number) in result.ends.sorted(by: { $0.key < $1.key }) { print("  \(name): \(number)") }
        print("  ended: \(result.ended), still listed: \(leftRunning)")
        let growth = after - before
        print("  resident: \(tenths(before)) MB after the warm-up, \(tenths(after)) MB at the end")
        guard result.ended == count, leftRunning == 0, result.wrong == 0, growth <= allowedGrowth else {
            print("FAILED: \(result.wrong) wrong answers, \(tenths(growth)) MB more memory")
            exit(1)
        }
        print("passed")
    }

    private static func round(
        _ numbers: Range<Int>,
        of site: Resource,
        _ seed: UInt64,
        _ tally: borrowing Mutex<SoakTally>
    ) async throws {
        let next = SoakCounter(numbers)
        let ends = try await withThrowingTaskGroup(of: SoakTally.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var mine = SoakTally()
                    while let number = next.take() {
                        let request = SoakRequest(number: number, seed: seed)
                        mine.note(try await request.run(on: site, patience: patience))
                    }
                    return mine
                }
            }
            return try await group.reduce(into: SoakTally()) { $0.add($1) }
        }
        tally.withLock { $0.add(ends) }
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    /// The memory that is in use now, in megabytes.
    private static func residentMegabytes() -> Double {
        #if os(Linux)
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " "
        )
        return Double(fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Double(sysconf(CInt(_SC_PAGESIZE))) / 1_048_576
        #else
        return 0
        #endif
    }
}
