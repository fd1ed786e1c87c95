// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C, and the request to end (SIGTERM): the first one ends the request in order, the second one the process.
final class InterruptSignal: Sendable {
    /// How often the process was asked to end.
    private static let count = Atomic(0)
    // Configured before they are shared, then only held: dispatch sources are safe to use from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Watches from now on; a signal that was ignored when the process began stays so, as under `nohup`.
    init(_ interrupt: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].compactMap { number in
            // The dispatch source sees the signal, the process must not die of it.
            let before = signal(number, SIG_IGN)
            guard unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard InterruptSignal.count.add(1, ordering: .relaxed).newValue == 1 else {
                    _exit(CommandStatus.interrupted.rawValue)
                }
                interrupt()
            }
            source.resume()
            return source
        }
    }
}
