// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a command line in a real shell in which `curl` only tells what it was given.
enum FakeCurl {
    /// What a shell made of the command line.
    struct Call {
        let arguments: [[UInt8]]
        let input: [UInt8]
        let errors: String

        /// The arguments as text.
        var words: [String] { arguments.map { String(decoding: $0, as: UTF8.self) } }

        /// What follows an option.
        func value(of option: String) -> [UInt8]? {
            words.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
    }

    // The arguments end in NUL, a separator follows them, then comes standard input where curl would read it.
    private static let script = """
        curl() {
            reads=; for a in "$@"; do printf '%s\\0' "$a"; case "$a" in @-) reads=1;; esac; done
            printf 'INPUT\\0'; if [ -n "$reads" ]; then cat; fi
        }

        """

    private static func reads(_ arguments: [[UInt8]]) -> Bool { arguments.contains(Array("@-".utf8)) }

    /// Runs it; `shell` is a program that takes `-c`.
    static func run(_ command: String, in shell: String = "bash") throws -> Call {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [shell]
        let (source, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Through standard input, since a body may be longer than an argument.
        let text = Data((script + command + "\n").utf8)
        let writer = Thread {
            try? source.fileHandleForWriting.write(contentsOf: text)
            try? source.fileHandleForWriting.close()
        }
        writer.start()
        let printed = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        let told = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        var arguments: [[UInt8]] = []
        var rest = printed[...]
        while let end = rest.firstIndex(of: 0) {
            let word = [UInt8](rest[..<end])
            rest = rest[(end + 1)...]
            // Of several calls, only the last one's input is kept.
            if word == Array("INPUT".utf8) {
                if rest.contains(0), !reads(arguments) { continue }
                break
            }
            arguments.append(word)
        }
        return Call(arguments: arguments, input: [UInt8](rest), errors: String(decoding: told, as: UTF8.self))
    }
}
