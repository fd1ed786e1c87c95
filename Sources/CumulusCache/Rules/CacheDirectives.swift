// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The directives of the `Cache-Control` fields of a request or a response (RFC 9111 section 5.2).
///
/// Directives for shared caches are ignored: `s-maxage`, `proxy-revalidate`, and `private` with a list of fields. If
/// directives are contradictory or invalid, the more conservative interpretation is used.
struct CacheDirectives: Sendable, Hashable {
    /// The allowed staleness of a response.
    enum Staleness: Sendable, Hashable {
        case any
        case seconds(Int64)
    }

    var noStore = false
    /// Without a list of fields.
    var noCache = false
    /// The fields of `no-cache="..."`, in lower case.
    var noCacheFields: [String] = []
    var mustRevalidate = false
    var mustUnderstand = false
    var isPublic = false
    var isPrivate = false
    var isImmutable = false
    var onlyIfCached = false
    /// In seconds, like all of them; 0 if it is invalid.
    var maxAge: Int64?
    var minFresh: Int64?
    var maxStale: Staleness?
    var staleWhileRevalidate: Int64?
    var staleIfError: Int64?

    init() {}

    /// Reads the fields of a response.
    init(response fields: HTTPFields) { add(linesOf: fields) }

    /// Reads the fields of a request; `Pragma` is used if there is no `Cache-Control` (RFC 9111 section 5.4).
    init(request fields: HTTPFields) {
        guard fields.contains(.cacheControl) else {
            noCache = fields[values: .pragma].contains { line in
                DirectiveReader.directives(of: line).contains { $0.name == "no-cache" }
            }
            return
        }
        add(linesOf: fields)
    }

    private mutating func add(linesOf fields: HTTPFields) {
        for field in fields where field.name == .cacheControl {
            DirectiveReader.each(of: field.value) { add($0) }
        }
    }

    private mutating func add(_ directive: DirectiveReader.Directive) {
        let argument = directive.argument
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": addNoCache(argument)
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = isPrivate || argument == nil
        case "immutable": isImmutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = min(maxAge ?? .max, DeltaSeconds.read(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, DeltaSeconds.read(argument) ?? DeltaSeconds.most)
        case "max-stale": addMaxStale(directive)
        case "stale-while-revalidate":
            staleWhileRevalidate = min(staleWhileRevalidate ?? .max, DeltaSeconds.read(argument) ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, DeltaSeconds.read(argument) ?? 0)
        default: break
        }
    }

    private mutating func addNoCache(_ argument: String?) {
        let names = argument?.parts(at: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty } ?? []
        if names.isEmpty { noCache = true } else { noCacheFields += names }
    }

    private mutating func addMaxStale(_ directive: DirectiveReader.Directive) {
        guard let argument = directive.argument else {
            if maxStale == nil { maxStale = .any }
            return
        }
        let seconds = DeltaSeconds.read(argument) ?? 0
        if case .seconds(let other)? = maxStale {
            maxStale = .seconds(min(other, seconds))
        } else {
            maxStale = .seconds(seconds)
        }
    }
}

/// A number of seconds in a field (RFC 9111 section 1.2.2).
enum DeltaSeconds {
    /// The value that replaces larger numbers: 2^31.
    static let most: Int64 = 1 << 31

    /// Reads digits only; `nil` for anything else.
    static func read(_ text: some StringProtocol) -> Int64? {
        guard !text.utf8.isEmpty else { return nil }
        var seconds: Int64 = 0
        for byte in text.utf8 {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            seconds = min(seconds * 10 + Int64(byte &- UInt8(ascii: "0")), most)
        }
        return seconds
    }

    static func read(_ text: String?) -> Int64? { text.flatMap { (text: String) in read(text[...]) } }
}

extension HTTPField.Name {
    /// `Pragma`, for servers of HTTP/1.0.
    static let pragma = HTTPField.Name("Pragma") ?? .cacheControl
}
