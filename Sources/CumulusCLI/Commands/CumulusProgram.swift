// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program: the command with the process's own streams.
@main
struct CumulusProgram {
    // Not async: the work has its own threads, and this one waits for signals.
    static func main() {
        Descriptor.reserveStandardStreams()
        // One thread for all connections: those of one origin share a loop anyway.
        NIOSingletons.groupLoopCountSuggestion = 1
        // If the reader has gone, the write fails, which ends the output quietly.
        signal(SIGPIPE, SIG_IGN)
        let console = Console.system()
        if let number = firstUnreadableArgument {
            console.note("cumulus: usage: argument \(number) is not valid UTF-8")
            exit(CommandStatus.usage.rawValue)
        }
        // Before the first task: libdispatch ends a program in which it finds no descriptors for itself.
        if !Descriptor.areFree(descriptorsNeeded) {
            console.note("cumulus: connect: the process's limit on open files is too low; raise it (ulimit -n)")
            exit(CommandStatus.connect.rawValue)
        }
        let interrupts = InterruptSignal()
        let run = Task.detached {
            InterruptSignal.leave(await CommandRun(console).run(Array(CommandLine.arguments.dropFirst())))
        }
        interrupts.waitForFirst()
        run.cancel()
        interrupts.leaveLate()
    }

    /// What runs at once before any connection: three descriptors of libdispatch, and files that are read.
    private static var descriptorsNeeded: Int { 7 }

    /// The number of the first argument that Swift would repair, and so change.
    private static var firstUnreadableArgument: Int? {
        (0..<Int(CommandLine.argc)).first { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
        }
    }
}
