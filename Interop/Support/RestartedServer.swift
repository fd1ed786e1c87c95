// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes

/// A server that a test starts, kills, and starts again on the same port.
final class RestartedServer {
    private struct MissingPort: Error {}

    /// The folder with the programs of servers.
    static let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Servers").standardized.path

    let url: String
    private let command: [String]
    private var process: Process?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - slot: Which of the spare ports it uses; each test has its own.
    ///   - command: The program and its arguments, of which `PORT` is replaced.
    /// - Throws: Why it can't be started.
    init(slot: Int, _ command: [String]) throws {
        let ports = InteropServers.variable("CUMULUS_INTEROP_SPARE_PORTS")?.split(separator: " ") ?? []
        guard ports.indices.contains(slot) else { throw MissingPort() }
        url = "http://127.0.0.1:\(ports[slot])"
        self.command = command.map { $0.replacingOccurrences(of: "PORT", with: ports[slot]) }
        try start()
    }

    deinit { kill() }

    /// Starts it; it may not accept connections yet.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    /// Kills it, as a crash would.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Waits until it responds with success.
    func waitUntilReady(at path: ResourcePath, over transport: InteropTransport) async throws {
        let resource = Resource(url, transport: transport.transport)[path]
        while true {
            if let response = try? await resource.get(), response.status == .ok { return }
            // A server has no signal for its first listening.
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
