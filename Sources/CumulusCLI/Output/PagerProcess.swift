// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pager in the terminal of this process, which reads our output.
enum PagerProcess {
    /// The pager that is open; 0 for none.
    private static let child = Atomic<Int32>(0)

    /// Ends the open pager, which would keep the terminal when this process ends.
    static func stop() {
        let child = child.load(ordering: .sequentiallyConsistent)
        guard child > 0, kill(child, SIGTERM) == 0 else { return }
        // It restores the terminal first.
        usleep(100_000)
    }

    /// Whether a command is one program with its options, which can take the shell's place and be ended itself.
    private static func isSimple(_ command: String) -> Bool {
        command.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: " -_./+,".utf8.contains(byte)
            }
        }
    }

    /// Starts a pager, given as a shell command.
    ///
    /// - Returns: The file to write to; closing it waits until the reader has left the pager, and throws
    ///   ``SystemProblem`` if the shell could not run it.
    static func start(_ command: String) throws -> OutputFile {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemProblem(description: String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], Descriptor(number: ends[1]))
        // Ctrl-C is for the pager, which uses it to stop a search.
        let interrupted = signal(SIGINT, SIG_IGN)
        // Colors are kept, and the shown text is not removed at the end.
        let usual = getenv("LESS") == nil ? ["LESS": "RX"] : [:]
        let child: pid_t
        do {
            child = try ShellProcess.start(
                ["sh", "-c", isSimple(command) ? "exec \(command)" : command],
                input: reading,
                environment: usual
            )
        } catch {
            _ = signal(SIGINT, interrupted)
            _ = close(reading)
            writing.close()
            throw error
        }
        _ = close(reading)
        PagerProcess.child.store(child, ordering: .sequentiallyConsistent)
        return OutputFile(
            write: { try writing.write($0) },
            close: {
                writing.close()
                let status = ShellProcess.status(of: child)
                PagerProcess.child.store(0, ordering: .sequentiallyConsistent)
                _ = signal(SIGINT, interrupted)
                // The shell itself reports that it can't run the command.
                if status == 126 || status == 127 {
                    throw SystemProblem(description: "the shell exited with status \(status)")
                }
            }
        )
    }
}
