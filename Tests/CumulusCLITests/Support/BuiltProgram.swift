// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The command built beside the tests, run in its own process.
struct BuiltProgram {
    /// The end of a run, and its output.
    struct End {
        let status: Int32
        /// Whether a signal ended it.
        let wasKilled: Bool
        let output: String
        let notes: String
    }

    private static let path = BuiltProducts.command

    /// False in a bundle, where Xcode puts tests.
    static let isThere = FileManager.default.isExecutableFile(atPath: path)

    /// Whether there is a curl for comparison.
    static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    /// Whether there is a device that accepts no byte.
    static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

    /// Whether this machine has the address `::1`; some containers don't.
    static let hasIPv6: Bool = {
        #if os(Linux)
        let addresses = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        return addresses?.contains("\(String(repeating: "0", count: 31))1 ") == true
        #else
        return true
        #endif
    }()

    /// Whether that curl speaks HTTP/2.
    static let curlSpeaksHTTP2: Bool = {
        guard hasCurl else { return false }
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["--version"]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return false }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.contains(" HTTP2")
    }()

    /// The words that a shell reads in a download's continuation, after the command's name.
    static func words(of text: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "printf '%s\\0' \(text)"]
        process.standardOutput = output
        try process.run()
        let words = output.fileHandleForReading.readDataToEndOfFile().split(
            separator: 0,
            omittingEmptySubsequences: false
        )
        process.waitUntilExit()
        return words.dropFirst(2).dropLast().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The variables that name authorities; a test that needs them sets them itself.
    static let authorities: Set = ["SSL_CERT_FILE", "SSL_CERT_DIR"]

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let notes = Pipe()

    /// Starts it; a `shell` line gets the command and its arguments as `"$@"`, and `descriptor` replaces the pipe that
    /// is its standard input.
    init(_ arguments: [String], shell: String = #"exec "$@""#, input descriptor: Int32? = nil) throws {
        // Tests that run in the background ignore it, and so would their children.
        Foundation.signal(SIGINT, SIG_DFL)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", shell, "sh", BuiltProgram.path] + arguments
        // Each start would read this machine's authorities, which takes it longer than all else.
        process.environment = ProcessInfo.processInfo.environment.filter { !BuiltProgram.authorities.contains($0.key) }
        if let descriptor {
            process.standardInput = FileHandle(fileDescriptor: descriptor)
        } else {
            process.standardInput = input
        }
        process.standardOutput = output
        process.standardError = notes
        try process.run()
    }

    /// Writes to its standard input, and closes it.
    func write(_ text: String = "") throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
    }

    /// Sends it a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Ends it and what it started, for a test that waits no longer.
    private func stop() {
        // It leads its own group; a child that stays would keep the pipes open.
        guard process.isRunning else { return }
        for number in [-process.processIdentifier, process.processIdentifier] { kill(number, SIGKILL) }
    }

    /// How it has ended, by the system's word; `nil` while it runs.
    ///
    /// Foundation learns it from a socket, which a process that another test starts at the same moment may hold open.
    private var status: Int32? {
        var state = siginfo_t()
        let id = id_t(process.processIdentifier)
        guard waitid(P_PID, id, &state, WEXITED | WNOHANG | WNOWAIT) == 0 else {
            return process.isRunning ? nil : process.terminationStatus
        }
        #if canImport(Darwin)
        return state.si_pid == 0 ? nil : state.si_status
        #else
        let child = state._sifields._sigchld
        return child.si_pid == 0 ? nil : child.si_status
        #endif
    }

    /// Waits for its end without reading its output.
    ///
    /// `number` is a signal that it gets again and again until then.
    func unreadEnd(signaling number: Int32? = nil) async throws -> Int32 {
        defer { stop() }
        while true {
            if let status { return status }
            if let number { signal(number) }
            // There is no signal for the end of a process that a cancelled test could stop waiting for.
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for its end without reading its output; returns its peak memory in KiB.
    func peakMemoryAtEnd() async throws -> (status: Int32, peak: Int) {
        defer { stop() }
        var peak = 0
        while true {
            if let status { return (status, peak) }
            // The system keeps the peak, and drops it with the process.
            let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = max(peak, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            // There is no signal for the end of a process that a cancelled test could stop waiting for.
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Waits for its end, on a thread that may block; a test that is cancelled ends it.
    func end() async throws -> End {
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: blockingEnd()) }.start()
            }
        } onCancel: {
            stop()
        }
        try Task.checkCancellation()
        return end
    }

    private func blockingEnd() -> End {
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let told = notes.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return End(
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal,
            output: String(decoding: printed, as: UTF8.self),
            notes: String(decoding: told, as: UTF8.self)
        )
    }
}
