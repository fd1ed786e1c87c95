// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A limit in bytes per second, shared by everything that uses it.
///
/// ```swift
/// let rate = Bandwidth(bytesPerSecond: 500_000)
/// site["backups"].setRules { $0.bandwidth = rate }     // all transfers there together
/// rate.bytesPerSecond = 0              // pauses them
/// rate.bytesPerSecond = nil            // no limit
/// ```
///
/// Waiting transfers are served in order; the wait ends with `CancellationError` when its task is cancelled.
public final class Bandwidth: Sendable {
    private struct State {
        var meter: BandwidthMeter
        var waiters: [Int: BandwidthSignal] = [:]
        var nextWaiter = 0
    }

    private let state: Mutex<State>
    private let current: Mutex<Int64?>

    /// Creates a limit.
    ///
    /// - Parameter bytesPerSecond: See ``bytesPerSecond``.
    public init(bytesPerSecond: Int64?) {
        state = Mutex(State(meter: BandwidthMeter(rate: bytesPerSecond.map { max(0, $0) })))
        current = Mutex(bytesPerSecond.map { max(0, $0) })
    }

    /// The limit in bytes per second; `nil` means no limit, and 0 pauses all transfers.
    ///
    /// Paused transfers keep their connections open, but a server may close them. You can change the limit at any time,
    /// and running transfers follow immediately. Negative numbers count as 0.
    public var bytesPerSecond: Int64? {
        get { current.withLock(\.self) }
        set {
            let rate = newValue.map { max(0, $0) }
            current.withLock { $0 = rate }
            let waiters = state.withLock { state in
                state.meter.change(to: rate)
                return Array(state.waiters.values)
            }
            for waiter in waiters { waiter.ring() }
        }
    }

    /// The number of bytes passed at once: a twentieth of a second's, within limits.
    var pieceSize: Int {
        guard let rate = bytesPerSecond else { return FilePieces.size }
        return Int(min(max(rate / 20, 1_024), Int64(FilePieces.size)))
    }

    /// Waits until bytes may pass.
    func pass(_ count: Int, on clock: any RequestClock) async throws {
        let place = ask(count, on: clock).lowerBound
        do {
            try await hold(until: place, on: clock, waking: BandwidthSignal())
        } catch {
            state.withLock { $0.meter.giveBack(count) }
            throw error
        }
    }

    /// Adds bytes to the line; when the upper bound is granted, the caller has waited for them.
    func ask(_ count: Int, on clock: any RequestClock) -> Range<Double> {
        let now = clock.now
        return state.withLock { $0.meter.ask(count, at: now) }
    }

    /// Waits until a place in the line is reached; closing the signal, or cancelling the task, ends the wait with
    /// `CancellationError`.
    func hold(until place: Double, on clock: any RequestClock, waking signal: BandwidthSignal) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = signal
            return state.nextWaiter
        }
        defer { state.withLock { $0.waiters[number] = nil } }
        while true {
            try Task.checkCancellation()
            if signal.isClosed { throw CancellationError() }
            let now = clock.now
            switch state.withLock({ $0.meter.wait(for: place, at: now) }) {
            case .none: return
            case .held: await signal.wait()
            case .until(let instant):
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await clock.sleep(until: instant) }
                    group.addTask { await signal.wait() }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }
    }
}

extension Bandwidth: CustomStringConvertible {
    /// A description of the limit.
    public var description: String { bytesPerSecond.map { "\($0) bytes/s" } ?? "no limit" }
}

extension Resource.Settings {
    /// Unavailable: a limit is set for a place, not for a copy.
    @available(*, unavailable, message: "a limit is set for a place, not for a copy: use `setRules { }`")
    public var bandwidth: Bandwidth? {
        get { self[key: BandwidthKey.self] }
        set {}
    }
}

/// The key of ``Resource/Rules/bandwidth``.
enum BandwidthKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: Bandwidth? { nil }
}
