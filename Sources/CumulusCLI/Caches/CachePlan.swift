// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A plan of `cumulus cache`.
struct CachePlan: Sendable {
    enum Action: Sendable {
        /// Lists the responses whose URLs begin so.
        case list(prefix: String)
        /// Shows the heads of a URL's responses.
        case show(RequestURL)
        /// Removes a URL's responses, or all.
        case clear(RequestURL?)
    }

    let folder: String
    let action: Action

    /// Interprets the words and options.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    init(_ arguments: Arguments, in surroundings: Surroundings) throws(UsageMistake) {
        let words = arguments.words.dropFirst()
        guard words.count <= 1 else { throw UsageMistake("this command takes one URL", hint: CachePlan.usage) }
        switch arguments.words.first {
        case nil, "list": action = .list(prefix: words.first ?? "")
        case "show":
            guard let word = words.first else { throw UsageMistake("cache show needs a URL", hint: CachePlan.usage) }
            action = .show(try CachePlan.url(word))
        case "clear": action = .clear(try words.first.map(CachePlan.url))
        case let other?:
            throw UsageMistake("cache has no command \(quoted(other))", hint: CachePlan.usage)
        }
        folder = try CachePlan.folder(arguments.cache, in: surroundings)
    }

    private static let usage = "write cumulus cache list|show|clear [URL] [--cache FOLDER]"

    private static func url(_ word: String) throws(UsageMistake) -> RequestURL {
        let shorthand = try URLShorthand(parsing: word)
        guard let query = shorthand.query else { return shorthand.url }
        do {
            return try RequestURL("\(shorthand.url)?\(query)")
        } catch {
            throw UsageMistake("the URL is not valid: \(error)")
        }
    }

    /// The folder that is named, or `cumulus` in the user's caches.
    private static func folder(_ given: String?, in surroundings: Surroundings) throws(UsageMistake) -> String {
        if let given {
            guard !given.isEmpty, given != "off" else {
                throw UsageMistake("this command needs a folder, so --cache can't be empty or off")
            }
            return surroundings.readFile.expanded(given)
        }
        func absolute(_ name: String) -> String? {
            surroundings.environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        guard let caches = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map({ "\($0)/.cache" }) else {
            throw UsageMistake(
                "the cache folder is unknown: neither XDG_CACHE_HOME nor HOME is set",
                hint: "write --cache FOLDER"
            )
        }
        return "\(caches)/cumulus"
    }
}
