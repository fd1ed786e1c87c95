// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads what a process has used so far.
struct Meter {
    private typealias Count = @convention(c) () -> UInt

    private let start: (wall: Double, processor: Double, allocations: UInt)

    /// Begins to measure.
    init() { start = Meter.now() }

    /// Time and allocations since the beginning.
    func read() -> (wall: Double, processor: Double, allocations: UInt) {
        let now = Meter.now()
        return (now.wall - start.wall, now.processor - start.processor, now.allocations - start.allocations)
    }

    /// The most memory that the process has had in use, in kilobytes; 0 where the system doesn't tell.
    static func peakMemory() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }

    /// The monotonic clock.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func now() -> (wall: Double, processor: Double, allocations: UInt) {
        let wall = Double(nanoseconds) / 1e9
        var usage = rusage()
        // RUSAGE_SELF, which is of another type on each system.
        getrusage(0, &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let rest = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        // Only there where the counter has been loaded before the program.
        let count = dlsym(dlopen(nil, RTLD_NOW), "allocation_count").map { unsafeBitCast($0, to: Count.self)() }
        return (wall, seconds + rest, count ?? 0)
    }
}
