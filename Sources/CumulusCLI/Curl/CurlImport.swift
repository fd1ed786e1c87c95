// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Interprets the curl command after `cumulus curl`, such as one copied from a browser.
struct CurlImport {
    private static let usage = "write cumulus curl [--explain] 'curl URL ...'"

    private let surroundings: Surroundings

    init(in surroundings: Surroundings) { self.surroundings = surroundings }

    /// The request of the curl command, or with `--explain`, the equivalent `cumulus` command as text.
    ///
    /// - Parameter words: This command's own options, then the curl command, as one text or as words.
    /// - Returns: The request, or the text.
    /// - Throws: ``UsageMistake`` if the command can't be parsed, or has an option that isn't supported.
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
        var plan = plans[0]
        // No option of curl stands for a login.
        if case .login? = plan.identity {
            plan.identity = nil
            plan.identityStore = nil
        }
        plan.notices += try CurlImport.files(of: arguments).map { "sends the file \(quoted($0))" }
        return .request(plan)
    }

    /// The files that are sent.
    private static func files(of arguments: Arguments) throws(UsageMistake) -> [String] {
        var files: [String] = []
        for word in arguments.words.dropFirst(2) {
            let item = try RequestItem(parsing: word)
            if item.kind == .upload { files.append(try UploadItem(parsing: item).path) }
        }
        return files
    }

    /// The words after `curl`, which may have a prompt before it.
    private static func words(of words: [String]) throws(UsageMistake) -> [String] {
        guard let first = words.first else { return [] }
        if first == "$" { return try CurlImport.words(of: Array(words.dropFirst())) }
        if isCurl(first) { return Array(words.dropFirst()) }
        var text = first.utf8.drop { $0 <= 0x20 }
        if text.first == UInt8(ascii: "$") { text = text.dropFirst().drop { $0 <= 0x20 } }
        let name = text.prefix { $0 > 0x20 }
        guard isCurl(name.text), name.count < text.count else {
            // As a URL, it would be quoted with all that it contains.
            if words.count == 1, name.count < text.count {
                throw UsageMistake("the text does not begin with 'curl'", hint: usage)
            }
            return words
        }
        return Array(try ShellLine.words(of: text.text).dropFirst()) + words.dropFirst()
    }

    private static func isCurl(_ name: String) -> Bool { ["curl", "curl.exe"].contains(name.lowercased()) }

    /// The equivalent `cumulus` command, quoted for a shell, and without secrets unless the arguments show them.
    private static func command(_ arguments: Arguments) -> String {
        var shown = arguments
        // The printed command needs neither option.
        (shown.ignoreStdin, shown.showSecrets) = (false, false)
        if shown.words.first.flatMap({ MethodName.meant(by: $0) }) == nil { shown.anyMethod = false }
        let items = arguments.words.dropFirst(2).compactMap { try? RequestItem(parsing: $0) }
        // Without a method, a request with a body is a POST.
        let hasBody = shown.raw != nil || items.contains(where: \.kind.isData)
        if !hasBody, shown.words.starts(with: ["GET"]) { shown.words.removeFirst() }
        if !arguments.showSecrets, let raw = shown.raw {
            let type = items.first { $0.kind == .header && $0.name.lowercased() == "content-type" }?.value
            shown.raw = CurlImport.shown(body: raw, type: type ?? "")
        }
        return ContinuationCommand.request(shown, showsSecrets: arguments.showSecrets)
    }

    /// A body without its secrets, or `...` if its type doesn't allow finding them.
    private static func shown(body: String, type: String) -> String {
        // With `-d`, curl calls JSON a form.
        let isJSON = body.begins(with: "{") || body.begins(with: "[")
        let isForm = type.lowercased().begins(with: "application/x-www-form-urlencoded")
        let type = MediaType(isForm && isJSON ? "application/json" : type)
        return SecretRedaction.body(ByteChunk(body), of: type).map { String(decoding: $0, as: UTF8.self) } ?? "..."
    }
}
