// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program: the command on the process's own streams.
@main
struct CumulusProgram {
    static func main() async {
        // One thread for all connections: those of one origin share a loop anyway.
        NIOSingletons.groupLoopCountSuggestion = 1
        // A reader that has gone shows as an error of the write, which ends the output quietly.
        signal(SIGPIPE, SIG_IGN)
        let console = Console.system()
        // The one task that Ctrl-C cancels.
        let run = Task { await CommandRun(console).run(Array(CommandLine.arguments.dropFirst())) }
        let interrupts = InterruptSignal { run.cancel() }
        let status = await run.value
        withExtendedLifetime(interrupts) {}
        exit(status.rawValue)
    }
}
