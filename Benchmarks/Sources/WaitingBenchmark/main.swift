// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How many requests wait at once: each number is twice the one before it.
let counts = [5_000, 10_000, 20_000]

/// How much dearer a request may be among the most that wait than among the fewest; it is 4 if the cost is quadratic.
let bound = 2.0

/// The seconds of processor time that the process has used.
func processorTime() -> Double {
    var usage = rusage()
    // RUSAGE_SELF, which is of another type on each system.
    getrusage(0, &usage)
    let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + microseconds / 1e6
}

/// A port of this computer at which nothing listens: it was just given back.
func closedPort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, size)
            getsockname(descriptor, pointer, &size)
        }
    }
    return UInt16(bigEndian: address.sin_port)
}

/// Sends requests to a server that refuses all connections, and waits until each has failed.
func refused(_ count: Int) async {
    let transport = NIOTransport()
    let request = TransportRequest(
        method: .get,
        origin: Origin(scheme: .http, host: "127.0.0.1", port: Int(closedPort()))
    )
    await withTaskGroup { group in
        for _ in 0..<count { group.addTask { _ = try? await transport.send(request) } }
    }
    await transport.shutdown(.immediate)
}

/// A transport whose requests wait until they are cancelled.
final class WaitingTransport: Transport {
    /// How many requests have begun.
    let started = Atomic(0)
    var capabilities: TransportCapabilities { TransportCapabilities() }
    func identity(at origin: Origin) -> TransportIdentity { .anonymous }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        started.add(1, ordering: .relaxed)
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
    }
}

/// Starts calls, and shuts their tree down.
func shutDown(_ count: Int) async throws {
    let transport = WaitingTransport()
    let site = Resource("http://a.example", transport: transport)
    await withTaskGroup { group in
        for _ in 0..<count { group.addTask { _ = try? await site.get() } }
        group.addTask {
            while transport.started.load(ordering: .relaxed) < count { await Task.yield() }
            await site.shutdown(.immediate)
        }
    }
}

/// Measures work for each number of requests; false if the cost of one grows with the number.
func measure(_ name: String, _ work: (Int) async throws -> Void) async rethrows -> Bool {
    try await work(counts[0])
    var costs: [Double] = []
    for count in counts {
        let start = processorTime()
        try await work(count)
        costs.append((processorTime() - start) / Double(count))
        print("\(name), \(count) requests: \(Int(costs[costs.count - 1] * 1e9)) ns of processor time each")
    }
    return costs[costs.count - 1] <= bound * costs[0]
}

let isLinear = await measure("refused connections", refused)
let endsLinearly = try await measure("shutting down", shutDown)
if !isLinear || !endsLinearly {
    print("the cost of a request grows with the number of those that wait")
    exit(1)
}
