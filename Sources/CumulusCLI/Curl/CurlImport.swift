// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Interprets `cumulus curl`: a command for curl, as browsers copy it.
struct CurlImport {
    private static let usage = "cumulus curl [--explain] 'curl URL ...'"

    private let surroundings: Surroundings

    init(in surroundings: Surroundings) { self.surroundings = surroundings }

    /// The request of the curl command; with `--explain`, the same command in this program's form as text.
    ///
    /// - Parameter words: This command's own options, then the curl command, as one text or as words.
    /// - Returns: The request, or the text.
    /// - Throws: ``UsageMistake`` for what can't be read, or would be lost.
    func invocation(_ words: [String]) throws(UsageMistake) -> Invocation {
        let own = words.prefix { $0.begins(with: "--") && ArgumentParser.option($0, in: .curl) != nil }
        let options = try ArgumentParser.parse(Array(own), for: .curl)
        let curl = try CurlImport.words(of: Array(words.dropFirst(own.count)))
        if curl.isEmpty { throw UsageMistake("missing curl command", hint: CurlImport.usage) }
        var arguments = try CurlLine.arguments(of: curl)
        if options.showSecrets { arguments.showSecrets = true }
        if options.explain { return .text(CurlImport.command(arguments)) }
        let plans = try PlanParser(arguments, in: surroundings).plans()
        guard plans.count == 1 else { throw UsageMistake("the curl command has a second URL") }
        return .request(plans[0])
    }

    /// The words after `curl`.
    private static func words(of words: [String]) throws(UsageMistake) -> [String] {
        guard let first = words.first else { return [] }
        if first == "curl" { return Array(words.dropFirst()) }
        let text = first.utf8.drop { $0 <= 0x20 }
        guard text.starts(with: "curl".utf8), let next = text.dropFirst(4).first, next <= 0x20 else { return words }
        return Array(try ShellLine.words(of: first).dropFirst()) + words.dropFirst()
    }

    /// The command for the same request, quoted for a shell; without secrets, unless they are to be shown.
    private static func command(_ arguments: Arguments) -> String {
        var shown = arguments
        // A user's own command needs neither.
        (shown.ignoreStdin, shown.showSecrets) = (false, false)
        if shown.words.first.flatMap({ MethodName.meant(by: $0) }) == nil { shown.anyMethod = false }
        if shown.words.starts(with: ["GET"]) { shown.words.removeFirst() }
        if !arguments.showSecrets, let raw = shown.raw {
            let type = MediaType(
                raw.utf8.first == UInt8(ascii: "{") ? "application/json" : "application/x-www-form-urlencoded"
            )
            shown.raw =
                SecretRedaction.body(ByteChunk(raw), of: type).map { String(decoding: $0, as: UTF8.self) } ?? "..."
        }
        return ContinuationCommand.request(shown, showsSecrets: arguments.showSecrets)
    }
}
