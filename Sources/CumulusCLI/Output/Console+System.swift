// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Console {
    /// The process's own streams, files and terminal.
    static func system() -> Console {
        let environment = environment()
        let input = WholeInput()
        let reader = FileReader(
            home: environment["HOME"],
            readRegular: { path, limit in try read(Descriptor(openingRegular: path), upTo: limit) },
            readBelow: { folder, path, limit in
                try read(Descriptor(openingRegular: path, below: folder), upTo: limit)
            }
        ) { path, limit in
            if path == FileReader.standardInput { return try input.bytes(upTo: limit) }
            return try read(Descriptor(opening: path, O_RDONLY), upTo: limit)
        }
        let line = OutputLine(isShared: Descriptor.outputAndErrorsAreOne)
        return Console(
            surroundings: Surroundings(
                inputIsTerminal: isatty(STDIN_FILENO) == 1,
                inputIsClosed: !Descriptor(number: STDIN_FILENO).isOpenForReading,
                input: { .system() },
                outputIsTerminal: isatty(STDOUT_FILENO) == 1,
                errorsAreTerminal: isatty(STDERR_FILENO) == 1,
                outputColumns: TerminalSize.of(STDOUT_FILENO, environment: environment).columns,
                environment: environment,
                readFile: reader,
                readVariable: { name in
                    // The system would read such a name as another one.
                    name.isEmpty || name.utf8.contains(0) ? nil : getenv(name).map { String(cString: $0) }
                },
                workingFolder: Descriptor.workingFolder,
                readConfiguration: { path, isPrivate in
                    // Many users keep the file elsewhere, and a link to it here.
                    try PrivateFile(Descriptor.realPath(path) ?? path).read(evenIfShared: !isPrivate)
                }
            ),
            read: readInput,
            inputIsReady: { Descriptor(number: STDIN_FILENO).isReadable },
            write: { bytes in
                do {
                    try Descriptor(number: STDOUT_FILENO).write(bytes)
                } catch let problem as SystemProblem {
                    throw OutputProblem(path: nil, reason: problem.description)
                }
                line.note(bytes)
            },
            note: { text in
                try? Descriptor(number: STDERR_FILENO).write(Array("\(line.end())\(text)\n".utf8))
            },
            draw: { try? Descriptor(number: STDERR_FILENO).write(Array($0.utf8)) },
            terminalSize: { TerminalSize.of(STDERR_FILENO, environment: environment) },
            create: { try OutputFile(emptying: $0) },
            replace: { OutputFile(replacing: $0) },
            checkCreation: { try Descriptor.checkCreation(of: $0) },
            hasContent: { Descriptor.hasContent($0) },
            askPassword: { try TerminalPrompt.ask($0, hiding: true) },
            outputSize: { TerminalSize.of(STDOUT_FILENO, environment: environment) }
        )
    }

    private static func read(_ file: Descriptor, upTo limit: ReadLimit) throws -> [UInt8] {
        defer { file.close() }
        return try file.readAll(upTo: limit)
    }

    /// Reads on a thread that may wait, if there is nothing yet; the caller returns immediately when its task is
    /// cancelled.
    private static func readInput(_ count: Int) async throws -> [UInt8] {
        let input = Descriptor(number: STDIN_FILENO)
        if input.isReadable { return try input.read(count) }
        let waiter = InputWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.begin(continuation)
                DispatchQueue.global().async {
                    waiter.finish(Result { try input.read(count) })
                }
            }
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
        }
    }

    /// The variables that the command knows.
    private static func environment() -> [String: String] {
        var known: [String: String] = [:]
        for name in [
            "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG", "CUMULUS_BASE",
            "HOME", "XDG_STATE_HOME", "NETRC", "SSL_CERT_FILE", "SSL_CERT_DIR", "VISUAL", "EDITOR", "TMPDIR",
            "PAGER", "CUMULUS_PAGER", "PATH", "XDG_CONFIG_HOME",
        ] + ProxyPolicy.variables {
            // Read before any other thread runs that could change it.
            if let value = getenv(name) { known[name] = String(cString: value) }
        }
        return known
    }
}

/// Standard input, read once for all items and URLs that take it.
private final class WholeInput: Sendable {
    private let held = Mutex<[UInt8]?>(nil)

    func bytes(upTo limit: ReadLimit) throws -> [UInt8] {
        try held.withLock { held in
            // Not by its name: that would begin a file anew, of which something has been read.
            let bytes = try held ?? Descriptor(number: STDIN_FILENO).readAll(upTo: limit)
            held = bytes
            return bytes
        }
    }
}
