// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// How a request differs from a recorded one, in words.
struct RequestDifference: CustomStringConvertible {
    /// The differences, the most important one first.
    private let parts: [String]
    /// How far the requests are apart.
    let distance: Int

    init(from recorded: RecordedRequestKey, of request: RecordedRequestKey) {
        var (parts, distance) = ([] as [String], 0)
        func note(_ weight: Int, _ text: String) {
            parts.append(text)
            distance += weight
        }
        let (theirs, ours) = (RequestDifference.split(recorded.url), RequestDifference.split(request.url))
        if theirs.origin != ours.origin { note(40, "the origin is \(ours.origin), not \(theirs.origin)") }
        if theirs.path != ours.path {
            let common = zip(theirs.path.parts(at: "/"), ours.path.parts(at: "/")).prefix { $0 == $1 }.count
            note(max(10, 30 - 5 * common), "the path is \(ours.path), not \(theirs.path)")
        }
        if recorded.method != request.method { note(20, "the method is \(request.method), not \(recorded.method)") }
        let items = RequestDifference.items(ours.query, theirs.query)
        for item in items { note(3, item) }
        // The same items in another order, or written in another way.
        if items.isEmpty, theirs.query != ours.query {
            note(2, "the query is \"\(ours.query ?? "")\", not \"\(theirs.query ?? "")\"")
        }
        for (their, our) in zip(recorded.fields, request.fields) where their != our {
            note(
                2,
                "the field \(our.name) is \(RequestDifference.quoted(our.value)), "
                    + "not \(RequestDifference.quoted(their.value))"
            )
        }
        if recorded.body != request.body { note(1, RequestDifference.bodies(recorded.body, request.body)) }
        self.parts = parts
        self.distance = distance
    }

    var description: String {
        let shown = parts.prefix(4).map { PeerText.printable($0) }.joined(separator: "; ")
        return parts.count > 4 ? "\(shown); and \(parts.count - 4) more" : shown
    }

    private static func split(_ url: String) -> (origin: String, path: String, query: String?) {
        let halves = url.cut(at: "?")
        let place = halves.map { String($0.before) } ?? url
        let authority = place.place(of: "://").map { place[$0.upperBound...].before("/") }
        let end = authority?.endIndex ?? place.startIndex
        return (String(place[..<end]), String(place[end...]), halves.map { String($0.behind) })
    }

    private static func items(_ our: String?, _ their: String?) -> [String] {
        let (ours, theirs) = (QueryPairs.parsed(our), QueryPairs.parsed(their))
        var (differences, seen) = ([] as [String], [] as Set<String>)
        for name in (ours + theirs).map(\.name) where seen.insert(name).inserted {
            let mine = ours.filter { $0.name == name }.map { $0.value ?? "" }
            let other = theirs.filter { $0.name == name }.map { $0.value ?? "" }
            if mine == other { continue }
            let item = "the query item \(PeerText.quoted(name))"
            if other.isEmpty {
                differences.append("\(item) is not recorded")
            } else if mine.isEmpty {
                differences.append("\(item) is missing")
            } else {
                differences.append(
                    "\(item) is \(quoted(mine.joined(separator: ", "))), "
                        + "not \(quoted(other.joined(separator: ", ")))"
                )
            }
        }
        return differences
    }

    private static func bodies(_ their: RecordedBody?, _ our: RecordedBody?) -> String {
        guard let theirs = their?.bytes, let ours = our?.bytes else { return "the body is different" }
        let place = zip(theirs, ours).prefix { $0 == $1 }.count
        return "the body differs at byte \(place) (\(ours.count) bytes, not \(theirs.count))"
    }

    private static func quoted(_ text: String?) -> String { text.map { PeerText.quoted($0) } ?? "missing" }
}
