// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Responses in a cache as text, without secrets.
enum CacheTable {
    /// One response a line.
    static func list(_ entries: [CacheListing.Entry]) -> String {
        let rows = entries.map { entry in
            let type = entry.fields[.contentType].map { String($0.before(";").trimmed) } ?? ""
            let times = [Amount.size(entry.length), time(entry.age), short(entry.state)]
            return ["\(entry.status.code)", type] + times + [entry.user, "\(entry.method) \(entry.url)"]
        }
        return TextTable(["STATUS", "TYPE", "SIZE", "AGE", "NOW", "FOR", "REQUEST"], rows).text
    }

    /// The head of a response, and what would be done with it now.
    static func show(_ entry: CacheListing.Entry) -> String {
        let lines = [
            "\(entry.method) \(entry.url)", "\(entry.status.code) \(entry.status.reasonPhrase)",
            "\(Amount.size(entry.length)), for \(entry.user), from \(HTTPDate(entry.responseTime)), age \(time(entry.age))",
            long(entry),
        ]
        let fields = entry.fields.map { field in
            "\(field.name.rawName): \(SecretRedaction.value(field.value, of: field.name.canonicalName, isResponse: true))"
        }
        return (lines + fields).map { PeerText.printable($0, limit: 1_000) }.joined(separator: "\n")
    }

    private static func short(_ state: CacheListing.State) -> String {
        switch state {
        case .fresh(let seconds): "fresh \(time(seconds))"
        case .refreshed(let seconds), .stale(let seconds): "stale \(time(seconds))"
        case .checked: "asks"
        }
    }

    private static func long(_ entry: CacheListing.Entry) -> String {
        switch entry.state {
        case .fresh(let seconds): return "fresh for another \(time(seconds))"
        case .refreshed(let seconds):
            return "stale for \(time(seconds)): used while a newer response is requested"
        case .stale(let seconds):
            let isConfirmable = entry.fields.contains(.eTag) || entry.fields.contains(.lastModified)
            let next = isConfirmable ? "the next request revalidates it" : "the next request fetches it again"
            return "stale for \(time(seconds)): \(next)"
        case .checked: return "every request revalidates it"
        }
    }

    private static func time(_ seconds: Int64) -> String { Amount.time(.seconds(seconds)) }
}
