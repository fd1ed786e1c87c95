// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// The command on a terminal: standard output and standard error are the same, standard input is empty unless the
/// terminal is the one that the command may ask on.
final class TerminalProgram: Sendable {
    /// No terminal is available.
    struct Missing: Error {}

    private static let path = BuiltProducts.command

    /// Whether the command can have a terminal to ask on: util-linux has the tool for it.
    static let canAsk = FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid")

    // In a lock, since `Process` isn't Sendable in each of Apple's SDKs.
    private let process: Mutex<Process>
    private let controller: CInt
    private let shown = Mutex<[UInt8]>([])
    private let isOver = Mutex(false)

    /// Starts it; variables are merged over the test's own, and with `asks` it can ask on the terminal (`/dev/tty`).
    init(
        _ arguments: [String],
        columns: Int = 80,
        environment: [String: String] = [:],
        unset: [String] = [],
        asks: Bool = false
    ) throws {
        Foundation.signal(SIGINT, SIG_DFL)
        let (controller, name) = try TerminalProgram.terminal()
        self.controller = controller
        let device = open(name, O_RDWR | O_NOCTTY)
        guard device >= 0 else { throw Missing() }
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(device, UInt(TIOCSWINSZ), &size)
        // Line ends are passed unchanged.
        var modes = termios()
        tcgetattr(device, &modes)
        modes.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(device, TCSANOW, &modes)
        let handle = FileHandle(fileDescriptor: device, closeOnDealloc: true)
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CUMULUS_BASE", "PAGER"] {
            variables[name] = nil
        }
        for name in BuiltProgram.authorities { variables[name] = nil }
        variables["TERM"] = "xterm"
        // None, unless a test sets one.
        variables["CUMULUS_PAGER"] = ""
        variables["LANG"] = "C.UTF-8"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: asks ? "/usr/bin/setsid" : TerminalProgram.path)
        process.arguments = (asks ? ["--wait", "--ctty", TerminalProgram.path] : []) + arguments
        for name in unset { variables[name] = nil }
        process.environment = variables.merging(environment) { _, new in new }
        process.standardInput = asks ? handle : FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        self.process = Mutex(process)
        try handle.close()
        Thread { self.read() }.start()
    }

    deinit { close(controller) }

    /// A new terminal: its controller, and the name of its device.
    private static func terminal() throws -> (controller: CInt, name: String) {
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard controller >= 0 else { throw Missing() }
        #if canImport(Darwin)
        guard grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller) else {
            throw Missing()
        }
        return (controller, String(cString: name))
        #else
        // `TIOCSPTLCK` and `TIOCGPTN` of <asm/ioctls.h>, macros that Swift can't read.
        var (lock, number): (CInt, CUnsignedInt) = (0, 0)
        guard ioctl(controller, 0x4004_5431, &lock) == 0, ioctl(controller, 0x8004_5430, &number) == 0 else {
            throw Missing()
        }
        return (controller, "/dev/pts/\(number)")
        #endif
    }

    /// The text on the terminal so far.
    var text: String { String(decoding: shown.withLock { $0 }, as: UTF8.self) }

    /// Whether the terminal shows typed characters.
    var echoes: Bool {
        var modes = termios()
        return tcgetattr(controller, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types on the terminal.
    func enter(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(controller, bytes, bytes.count) == bytes.count else { throw Missing() }
    }

    private var identifier: Int32 { process.withLock(\.processIdentifier) }

    /// Sends it a signal.
    func signal(_ number: Int32) { kill(identifier, number) }

    /// Waits until a text is on the terminal.
    func wait(for text: String) async throws {
        while !self.text.contains(text) { try await pause() }
    }

    /// A moment between two looks, in which a test that is cancelled ends the command and what it started.
    private func pause() async throws {
        do {
            // There is no signal when a process writes to a terminal.
            try await Task.sleep(for: .milliseconds(5))
        } catch {
            for number in [-identifier, identifier] { kill(number, SIGKILL) }
            throw error
        }
    }

    /// Waits for its end.
    ///
    /// `number` is a signal that it gets again and again until then.
    func end(signaling number: Int32? = nil) async throws -> (status: Int32, text: String) {
        // There is no signal for the end of a process that a cancelled test could stop waiting for.
        while process.withLock(\.isRunning) || !isOver.withLock({ $0 }) {
            if let number, process.withLock(\.isRunning) { signal(number) }
            try await pause()
        }
        return (process.withLock(\.terminationStatus), text)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(controller, &buffer, buffer.count)
            // The last process with the open terminal has closed it.
            if count <= 0, errno != EINTR { break }
            if count > 0 { shown.withLock { $0 += buffer[..<count] } }
        }
        isOver.withLock { $0 = true }
    }
}
