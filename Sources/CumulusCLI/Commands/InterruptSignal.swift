// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C, the request to end (SIGTERM) and a terminal that closes (SIGHUP): the first one ends the request in order, the second one the process.
struct InterruptSignal {
    /// How often the process was asked to end.
    private static let count = Atomic(0)
    /// Where a signal's handler tells that it ran.
    private static let writing = Atomic<Int32>(-1)

    private let reading: Int32

    /// Watches from now on; a signal that was ignored when the process began stays so, as under `nohup`.
    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, signals do what they do to any process.
        guard pipe(&ends) == 0 else {
            reading = -1
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        // Both are made here, since a handler may not make them.
        InterruptSignal.count.store(0, ordering: .relaxed)
        InterruptSignal.writing.store(ends[1], ordering: .relaxed)
        var heard = sigset_t()
        sigemptyset(&heard)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number, SIG_IGN)
            guard unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            signal(number) { _ in InterruptSignal.heard() }
            sigaddset(&heard, number)
        }
        // Who was started by a thread that hears no signals, as Dispatch's are, would hear none either.
        pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    }

    /// Blocks the thread until the first signal comes.
    func waitForFirst() {
        var byte: UInt8 = 0
        // Without a pipe it would fail for ever.
        while read(reading, &byte, 1) != 1 { if errno != EINTR { pause() } }
    }

    /// Runs in the middle of anything: only what a signal's handler may call.
    private static func heard() {
        guard count.add(1, ordering: .relaxed).newValue == 1 else { _exit(CommandStatus.interrupted.rawValue) }
        let error = errno
        var byte: UInt8 = 0
        _ = write(writing.load(ordering: .relaxed), &byte, 1)
        errno = error
    }
}
