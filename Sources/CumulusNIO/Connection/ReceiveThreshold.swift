// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Decides how much of a long response body must have arrived before the system wakes the loop (`SO_RCVLOWAT`).
///
/// Woken for each packet, a loop reads a long body in thousands of small pieces. The threshold is raised only while much
/// arrives between two sweeps of the loop, and lowered before the end and as soon as nothing was read between two
/// sweeps: a slow server's bytes are delivered as they come.
struct ReceiveThreshold {
    /// The raised threshold, in bytes: as much as one read takes.
    static let raised = 256 << 10
    /// The length, in bytes, from which a body is long.
    static let leastLength: Int64 = 1 << 20
    /// How many bytes must have arrived since the last sweep to raise the threshold.
    private static let steadyBytes: Int64 = 512 << 10
    /// With fewer bytes of content to come, the threshold may never be reached: TLS may hold a record of them already.
    private static let leastRemaining = Int64(raised) + (64 << 10)

    private(set) var isRaised = false
    private var receivedAtSweep: Int64

    /// Creates a lowered threshold for a body, before which `received` bytes have arrived.
    init(received: Int64) {
        receivedAtSweep = received
    }

    /// The new threshold, if a read changes it.
    mutating func noteRead(received: Int64, remaining: Int64) -> Int? {
        if remaining < Self.leastRemaining { return lower() }
        guard !isRaised, received - receivedAtSweep >= Self.steadyBytes else { return nil }
        isRaised = true
        return Self.raised
    }

    /// The new threshold, if the time since the last sweep changes it.
    mutating func noteSweep(received: Int64) -> Int? {
        defer { receivedAtSweep = received }
        return received == receivedAtSweep ? lower() : nil
    }

    private mutating func lower() -> Int? {
        guard isRaised else { return nil }
        isRaised = false
        return 1
    }
}

/// Sets how many bytes must have arrived before a connection counts as readable; its end always does.
func setReceiveThreshold(_ descriptor: CInt, to bytes: Int) {
    // On Apple's systems nothing was measured.
    #if !canImport(Darwin)
    var bytes = CInt(bytes)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &bytes, socklen_t(MemoryLayout<CInt>.size))
    #endif
}
