// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The event loops of the process; SwiftNIO ends the program if it makes them without enough file descriptors.
enum EventLoops {
    private static let areMade = Mutex(false)

    /// The loops; `nil` if there are too few descriptors for them.
    static var all: [any EventLoop]? {
        areMade.withLock { areMade in
            if !areMade, !hasDescriptors(for: NIOSingletons.groupLoopCountSuggestion) { return nil }
            areMade = true
            return Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        }
    }

    /// Whether each of `loops` loops can have its own descriptors: for waiting, waking up, and timers.
    ///
    /// Four more must be free: three for libdispatch, which also needs descriptors and may not have them yet, and one
    /// for a socket.
    private static func hasDescriptors(for loops: Int) -> Bool {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        let (wanted, overflow) = loops.multipliedReportingOverflow(by: 3)
        let (counted, tooMany) = wanted.addingReportingOverflow(4)
        if overflow || tooMany { return false }
        while descriptors.count < counted {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if descriptor < 0 { return false }
            descriptors.append(descriptor)
        }
        return true
    }
}
