// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the compiler says of wrong programs: each message names what is wrong.
@Suite(.timeLimit(.minutes(10))) struct CompileErrorTests {
    @Test(.enabled(if: Compiler.isThere, "needs swiftc and the modules beside the tests"))
    func aWrongProgramIsToldWhatIsWrong() throws {
        let programs = WrongProgram.all + WrongProgram.guesses + WrongProgram.moreGuesses
        let messages = try Compiler.errors(
            in: programs.map { ($0.name, $0.file) } + [("Declarations", WrongProgram.declarations)]
        )
        for program in programs {
            let own = messages[program.name] ?? []
            #expect(own.contains { $0.contains(program.message) }, "\(program.code): \(own)")
            #expect(!own.contains { $0.contains("failed to produce diagnostic") }, "\(program.code)")
        }
    }

    @Test(.enabled(if: Compiler.isThere, "needs swiftc and the modules beside the tests"))
    func aRightProgramCompiles() throws {
        let right = """
            import CumulusCore
            struct Receiver: RedirectReceiver {
                func receive(
                    _ isExpected: @escaping @Sendable (Query) -> Bool,
                    _ begin: @escaping Begin
                ) async throws -> Query {
                    try await begin("app://redirect")
                    return [:]
                }
            }
            func right(site: Resource, posts: Resource, name: String) async throws {
                site.setRules {
                    $0.timeout = .seconds(20)
                    $0.maxConcurrentRequests = 3
                }
                site["audit"].setRules { $0.retry = .never }
                site.setRules {
                    $0.inherit(\\.timeout)
                    $0.inherit(\\.maxConcurrentRequests)
                }
                let slow = site.with { $0.connectTimeout = .seconds(1) }
                print(slow.timeout as Any, slow.explain(\\.maxConcurrentRequests))
                print(site.explain(\\.timeout), site["posts"], site["posts/\\(name)"], site[segment: name], site[7])
                let post = try await posts.get(as: Post.self)
                _ = try await posts.post(body: post)
                try await posts[7].delete(as: Void.self)
                _ = try await posts.post(["title": "x" + name, "n": post.id * 2 + 1], as: Post.self)
                var call = posts.call(.get, as: [Post].self).map(\\.count)
                call.query["page"] = 2
                call.key = .replacing("posts")
                call.start { result in print(result) }
                _ = try await call.with { $0.retry = .never }.send()
            }
            """
        #expect(try Compiler.errors(in: [("Right", right), ("Declarations", WrongProgram.declarations)]).isEmpty)
    }
}

/// Type-checks programs against the modules that the tests were built with.
private enum Compiler {
    private static var folder: URL { BuiltProducts.folder }
    private static var modules: URL { folder.appending(path: "Modules") }
    private static var digests: URL { folder.appending(path: "CDigests.build/module.modulemap") }
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources"
    )

    private static let swiftc = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "swiftc") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    static var isThere: Bool {
        swiftc != nil
            && FileManager.default.fileExists(atPath: modules.appending(path: "CumulusCore.swiftmodule").path)
            && FileManager.default.fileExists(atPath: digests.path)
    }

    /// The errors of each file that has any, by the file's name.
    static func errors(in files: [(name: String, text: String)]) throws -> [String: [String]] {
        let home = FileManager.default.temporaryDirectory.appending(path: "wrong-programs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let process = Process()
        process.executableURL = swiftc
        process.arguments =
            [
                "-swift-version", "6", "-typecheck", "-wmo", "-parse-as-library", "-diagnostic-style", "llvm",
                "-I", modules.path,
                "-Xcc", "-fmodule-map-file=\(sources.appending(path: "CZlib/module.modulemap").path)",
                "-Xcc", "-fmodule-map-file=\(digests.path)",
            ]
            + (try files.map { file in
                let url = home.appending(path: "\(file.name).swift")
                try Data(file.text.utf8).write(to: url)
                return url.path
            })
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var errors: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            guard let range = line.range(of: ": error: ") else { continue }
            let name = URL(filePath: String(line[..<range.lowerBound].prefix { $0 != ":" })).deletingPathExtension()
            errors[name.lastPathComponent, default: []].append(String(line[range.upperBound...]))
        }
        try #require(process.terminationStatus == 0 || !errors.isEmpty, "swiftc said nothing of use: \(text)")
        return errors
    }
}
