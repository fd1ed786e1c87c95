// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The times at which requests begin, at a fixed rate.
enum Pace {
    /// Delivers each scheduled time when it has come, by `Meter.nanoseconds`.
    ///
    /// A thread of its own keeps the time, so that the precision of a runtime's timers doesn't count.
    static func times(_ count: Int, perSecond rate: Int) -> AsyncStream<UInt64> {
        let (times, continuation) = AsyncStream.makeStream(of: UInt64.self)
        DispatchQueue(label: "pace").async {
            let start = Meter.nanoseconds
            for index in 0..<UInt64(count) {
                let time = start + index * 1_000_000_000 / UInt64(rate)
                let now = Meter.nanoseconds
                if time > now { usleep(UInt32((time - now) / 1000)) }
                continuation.yield(time)
            }
            continuation.finish()
        }
        return times
    }
}
