// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processor time of the current thread, which other processes don't change much.
enum ThreadTime {
    /// How many seconds some work takes.
    static func of(_ work: () throws -> Void) rethrows -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
