// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Handles Ctrl-C, SIGTERM and SIGHUP: the first signal ends the request gracefully, the second one ends the process.
///
/// A second one within 0.3 seconds doesn't count: `timeout` signals its child and then the whole group.
///
/// What can't be cancelled, such as opening a pipe that nobody writes to, ends a second after the first signal.
struct InterruptSignal {
    /// How often the process was asked to end.
    private static let count = Atomic(0)
    /// The time of the first signal that counted, in milliseconds.
    private static let firstTime = Atomic(0)
    /// How long after the first signal others are taken for the same one, in milliseconds.
    private static let grace = 300
    /// The descriptor to which a signal's handler reports that it ran.
    private static let writing = Atomic<Int32>(-1)

    /// How many pieces of work are under way that end by themselves, and that must not be stopped halfway.
    private static let unfinished = Atomic(0)
    /// Whether the process ends because of a signal, even if the work ends now.
    private static let isLeaving = Atomic(false)
    /// Whether nothing is printed, not even errors.
    static let isSilent = Atomic(false)

    private let reading: Int32

    /// Watches from now on; a signal that was ignored when the process began stays ignored, as under `nohup`.
    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, signals have their default effect.
        guard pipe(&ends) == 0 else {
            reading = -1
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        // Both are initialized here, since a handler may not do it.
        InterruptSignal.count.store(0, ordering: .relaxed)
        InterruptSignal.firstTime.store(0, ordering: .relaxed)
        InterruptSignal.writing.store(ends[1], ordering: .relaxed)
        var heard = sigset_t()
        sigemptyset(&heard)
        for number in [SIGINT, SIGTERM, SIGHUP] where !InterruptSignal.isIgnored(number) {
            signal(number) { _ in InterruptSignal.heard() }
            sigaddset(&heard, number)
        }
        // A process started by a thread that blocks signals, as Dispatch's do, would inherit that.
        pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    }

    /// Whether a signal is ignored.
    ///
    /// It is asked without a change, since one that comes during a change would be lost.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
        #else
        let handler = action.__sa_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Blocks the thread until the first signal arrives.
    func waitForFirst() {
        var byte: UInt8 = 0
        // Without a pipe it would fail forever.
        while read(reading, &byte, 1) != 1 { if errno != EINTR { pause() } }
    }

    /// Does work that ends by itself after the first signal: a download that writes its record, an editor.
    static func finishing<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        unfinished.add(1, ordering: .sequentiallyConsistent)
        defer { unfinished.subtract(1, ordering: .sequentiallyConsistent) }
        return try await work()
    }

    /// Ends the process with the status of finished work, unless a signal is already ending it.
    static func leave(_ status: CommandStatus) -> Never {
        let isLate = isLeaving.load(ordering: .sequentiallyConsistent)
        TerminalPrompt.restore()
        exit((isLate ? CommandStatus.interrupted : status).rawValue)
    }

    /// Ends the process a second later; usually it has ended by itself before.
    func leaveLate() -> Never {
        var ticks = 0
        while ticks < 50 || InterruptSignal.unfinished.load(ordering: .sequentiallyConsistent) > 0 {
            usleep(20_000)
            ticks += 1
        }
        InterruptSignal.isLeaving.store(true, ordering: .sequentiallyConsistent)
        TerminalPrompt.restore()
        PagerProcess.stop()
        let errors = Descriptor(number: STDERR_FILENO)
        // Nobody may be reading them.
        if !InterruptSignal.isSilent.load(ordering: .relaxed), errors.isWritable {
            try? errors.write(Array("\(ErrorLine.text(for: CancellationError()))\n".utf8))
        }
        _exit(CommandStatus.interrupted.rawValue)
    }

    /// Runs at any point of the program: only calls that are allowed in a signal handler.
    private static func heard() {
        let error = errno
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
        guard count.add(1, ordering: .relaxed).newValue == 1 else {
            if now - firstTime.load(ordering: .relaxed) >= grace { _exit(CommandStatus.interrupted.rawValue) }
            errno = error
            return
        }
        firstTime.store(now, ordering: .relaxed)
        var byte: UInt8 = 0
        _ = write(writing.load(ordering: .relaxed), &byte, 1)
        errno = error
    }
}
