// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

@testable import CumulusCLI

/// A console in memory: provides scripted input, and keeps the output.
final class MemoryConsole: Sendable {
    private struct State {
        var input: [[UInt8]] = []
        var output: [UInt8] = []
        var notes: [String] = []
        var files: [String: [UInt8]] = [:]
        var prompts: [String] = []
        var passwords: ArraySlice<String> = []
        var drawings: [String] = []
    }

    private let state: Mutex<State>
    private let outputIsClosed: Bool
    private let password: String?
    private let surroundings: Surroundings

    /// Makes a console; the `passwords` are typed one after the other, then always `password`.
    init(
        input: [String]? = nil,
        outputIsTerminal: Bool = false,
        outputIsClosed: Bool = false,
        errorsAreTerminal: Bool = false,
        environment: [String: String] = [:],
        files: [String: String] = [:],
        binaries: [String: [UInt8]] = [:],
        passwords: [String] = [],
        password: String? = nil
    ) {
        state = Mutex(State(input: (input ?? []).map { Array($0.utf8) }, passwords: passwords[...]))
        self.outputIsClosed = outputIsClosed
        self.password = password
        surroundings = .of(
            inputIsTerminal: input == nil,
            outputIsTerminal: outputIsTerminal,
            errorsAreTerminal: errorsAreTerminal,
            environment: environment,
            files: files,
            binaries: binaries
        )
    }

    /// What was written to standard output.
    var output: String { String(decoding: outputBytes, as: UTF8.self) }
    var outputBytes: [UInt8] { state.withLock(\.output) }
    /// The lines on standard error.
    var notes: [String] { state.withLock(\.notes) }
    /// What was drawn on standard error, drawing by drawing.
    var drawings: [String] { state.withLock(\.drawings) }
    /// The prompts for a password.
    var prompts: [String] { state.withLock(\.prompts) }

    /// What was written to a file.
    func file(_ path: String) -> [UInt8]? { state.withLock { $0.files[path] } }

    var console: Console {
        Console(
            surroundings: surroundings,
            read: { [self] _ in state.withLock { $0.input.isEmpty ? [] : $0.input.removeFirst() } },
            write: { [self] bytes in
                if outputIsClosed { throw ClosedOutput() }
                state.withLock { $0.output += bytes }
            },
            note: { [self] line in state.withLock { $0.notes.append(line) } },
            draw: { [self] text in state.withLock { $0.drawings.append(text) } },
            terminalSize: { TerminalSize(columns: 80, rows: 24) },
            create: { [self] path in
                if path.hasPrefix("/missing/") { throw SystemProblem(description: "No such file or directory") }
                state.withLock { $0.files[path] = [] }
                return OutputFile(
                    write: { [self] bytes in state.withLock { $0.files[path, default: []] += bytes } },
                    close: {}
                )
            },
            checkCreation: { path in
                if path.hasPrefix("/missing/") { throw SystemProblem(description: "No such file or directory") }
            },
            hasContent: { Descriptor.hasContent($0) },
            askPassword: { [self] prompt in
                let typed = state.withLock { state -> String? in
                    state.prompts.append(prompt)
                    return state.passwords.popFirst()
                }
                return typed ?? password
            }
        )
    }

    /// Runs a command line with this console.
    func run(_ arguments: String...) async -> CommandStatus { await CommandRun(console).run(arguments) }

    /// Runs a command line with this console and another transport.
    func run(_ arguments: [String], over transport: some Transport) async -> CommandStatus {
        await CommandRun(console, makeTransport: { _ in transport }).run(arguments)
    }
}

extension Surroundings {
    /// Surroundings with files in memory.
    static func of(
        inputIsTerminal: Bool = true,
        outputIsTerminal: Bool = false,
        errorsAreTerminal: Bool = false,
        environment: [String: String] = [:],
        files: [String: String] = [:],
        binaries: [String: [UInt8]] = [:]
    ) -> Surroundings {
        Surroundings(
            inputIsTerminal: inputIsTerminal,
            outputIsTerminal: outputIsTerminal,
            errorsAreTerminal: errorsAreTerminal,
            environment: environment,
            readFile: FileReader(home: environment["HOME"]) { path, _ in
                guard let bytes = files[path].map({ Array($0.utf8) }) ?? binaries[path] else {
                    throw SystemProblem(description: "No such file or directory")
                }
                return bytes
            },
            readFolder: { path in
                let names = files.keys.filter { $0.hasPrefix("\(path)/") }.map { String($0.dropFirst(path.count + 1)) }
                if names.isEmpty { throw SystemProblem(description: "No such file or directory") }
                return names
            }
        )
    }
}

/// The plan of a command line.
func plan(_ arguments: [String], in surroundings: Surroundings = .of()) throws -> Plan {
    guard case .request(let plan) = try Invocation.parse(arguments, in: surroundings) else {
        throw SystemProblem(description: "no request")
    }
    return plan
}

/// The mistake in a command line; `nil` if there is none.
func mistake(_ arguments: [String], in surroundings: Surroundings = .of()) -> UsageMistake? {
    do throws(UsageMistake) {
        _ = try Invocation.parse(arguments, in: surroundings)
        return nil
    } catch {
        return error
    }
}
