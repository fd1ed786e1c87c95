// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The built command `cumulus`, run as a separate process.
enum BuiltCommand {
    /// The result of a run.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The command's path: `CUMULUS_COMMAND`, or among the products that the tests were built with.
    static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["CUMULUS_COMMAND"] { return path }
        let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = tests.resolvingSymlinksInPath().deletingLastPathComponent()
        // On Apple's systems the tests are a bundle among the products.
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("cumulus").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - input: The standard input.
    ///   - environment: Variables in addition to those of the tests.
    ///   - onErrors: Called with all of standard error so far, each time that there is more.
    /// - Returns: The exit status, and the output.
    /// - Throws: Why it could not be started, and any error of `onErrors`.
    static func run(
        _ arguments: [String],
        input: String? = nil,
        environment: [String: String] = [:],
        onErrors: (String) throws -> Void = { _ in }
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? "cumulus")
        process.arguments = arguments
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        // Each start would read this machine's authorities, which takes it longer than all else.
        let inherited = ProcessInfo.processInfo.environment.filter {
            !["SSL_CERT_FILE", "SSL_CERT_DIR"].contains($0.key)
        }
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = input == nil ? FileHandle.nullDevice : standardInput
        try process.run()
        if let input {
            try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try standardInput.fileHandleForWriting.close()
        }
        // The output fits into the pipes' buffers, so they can be read one after the other.
        var told = Data()
        while case let more = errors.fileHandleForReading.availableData, !more.isEmpty {
            told += more
            try onErrors(String(decoding: told, as: UTF8.self))
        }
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: told, as: UTF8.self)
        )
    }
}
