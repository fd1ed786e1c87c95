// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Foundation
import ServerTrial

/// The long trial of servers that we did not write; `Scripts/servers.sh` starts them and adds curl's figures.
///
///     ServerLoad FOLDER REQUESTS [--only STEP] [NAME[/VERSION] ...]
///
/// STEP is the beginning of a step's name, such as `early`.
///
/// The folder has `servers.tsv`, `ca.pem`, `content.bin` and, written by the servers, `numbers`. For each step it prints
/// a line with server, step, requests, failures, seconds and, where they are counted, connections between tabs, and why the
/// first ones failed to standard error.
@main
struct ServerLoad {
    private static let sizes = [1, 100, 1_000, 4_096, 16_384, 32_768, 65_536, 70_000, 300_000, 1_000_000]

    static func main() async {
        guard CommandLine.arguments.count > 2, let count = Int(CommandLine.arguments[2]) else {
            return print("ServerLoad FOLDER REQUESTS [--only STEP] [NAME[/VERSION] ...]")
        }
        do {
            try await run(count)
        } catch {
            FileHandle.standardError.write(Data("ServerLoad: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ count: Int) async throws {
        let folder = CommandLine.arguments[1]
        var names = CommandLine.arguments.dropFirst(3)
        var only = ""
        if names.first == "--only" {
            only = names.dropFirst().first ?? ""
            names = names.dropFirst(2)
        }
        let content = try TrialContent(file: "\(folder)/content.bin", sizes: sizes + [10_000_000])
        for server in try ServerUnderTrial.table("\(folder)/servers.tsv")
        where names.isEmpty || names.contains(server.name) || names.contains("\(server)") {
            let transport = ServerUnderTrial.transport(trusting: "\(folder)/ca.pem")
            let mark = "\(server.name)-\(server.version.rawValue)-\(ProcessInfo.processInfo.processIdentifier)"
            let trial = ServerTrial(server, content: content, transport: transport, mark: mark)
            await run(trial, count, only)
            await transport.shutdown(.immediate)
            let numbers = try TrialNumbers(file: "\(folder)/numbers", mark: mark)
            print("\(server)\tdoubled\t\(numbers.arrived)\t\(numbers.doubled)\t0\t0")
        }
    }

    private static func run(_ trial: ServerTrial, _ count: Int, _ only: String) async {
        let few = max(count / 30, 1)
        if trial.server.closesConnections { return tell(trial, await trial.posts(count, atOnce: 16, sizes: [1_000])) }
        func step(_ name: String, _ run: () async -> TrialResult) async {
            if name.hasPrefix(only) { tell(trial, await run()) }
        }
        for atOnce in [1, 16, 100] {
            await step("GET") { await trial.gets(count, atOnce: atOnce) }
            await step("POST to") { await trial.posts(count, atOnce: atOnce, sizes: sizes) }
        }
        if trial.server.version == .http2 { await step("mixed") { await trial.mixedHeads(few, atOnce: 16) } }
        for atOnce in [1, 16] { await step("POST to") { await trial.posts(few, atOnce: atOnce, sizes: [10_000_000]) } }
        for atOnce in [1, 16] {
            for size in [1_000, 70_000, 1_000_000] {
                await step("rounds") { await trial.rounds(200, atOnce: atOnce, size: size) }
            }
        }
        await step("upload") { await trial.uploads(3, atOnce: 1) }
        await step("upload") { await trial.uploads(4, atOnce: 4) }
        await step("download") { await trial.downloads(3, atOnce: 1, connections: nil) }
        await step("download") { await trial.downloads(3, atOnce: 1, connections: 4) }
        await step("head") { await trial.largeHeads(few, atOnce: 16) }
        if !trial.server.echoesBodies {
            for (code, size) in [(200, 1_000_000), (413, 10_000_000), (403, 300_000)] {
                for atOnce in [1, 16] {
                    await step("early") { await trial.earlyAnswers(few, atOnce: atOnce, code: code, size: size) }
                }
            }
        }
        if trial.server.idleSeconds > 0 { await step("POST after") { await trial.idleTimeouts(few * 2, atOnce: 50) } }
        if !trial.server.restart.isEmpty {
            await step("POST during") { await trial.restarts(count, atOnce: 16, times: 5) }
        }
    }

    private static func tell(_ trial: ServerTrial, _ result: TrialResult) {
        let numbers = "\(result.requests)\t\(result.failures)\t\(result.seconds)\t\(result.connections)"
        tell("\(trial.server)\t\(result.step)\t\(numbers)")
        for reason in result.reasons {
            FileHandle.standardError.write(Data("\(trial.server) \(result.step): \(reason)\n".utf8))
        }
    }

    /// At once, so that whoever waits sees how far it is.
    private static func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
