// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Reads the head of a browser's only request: bytes in, a result out.
struct RedirectReader {
    /// The meaning of the received bytes.
    enum ReadResult: Equatable {
        case more
        /// A request for the redirect URI, and its query.
        case redirect(Query)
        /// Any other request, with the status for its response.
        case refused(Int)
    }

    /// Longer than any redirect's head, since codes and states are short.
    static let longest = 16 << 10

    private let path: String
    private let authority: String
    private var head: [UInt8] = []

    init(path: String, authority: String) {
        self.path = path
        self.authority = authority
    }

    mutating func read(_ bytes: some Collection<UInt8>) -> ReadResult {
        guard head.count + bytes.count <= RedirectReader.longest else { return .refused(431) }
        head.append(contentsOf: bytes)
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false)
        // The last line has no end yet; an empty one before it ends the head.
        guard let end = lines.dropLast().firstIndex(where: { RedirectReader.trimmed($0).isEmpty }) else { return .more }
        return result(lines[..<end].map { RedirectReader.trimmed($0) })
    }

    private func result(_ lines: [ArraySlice<UInt8>]) -> ReadResult {
        guard let first = lines.first else { return .refused(400) }
        let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8), words[1].allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return .refused(400)
        }
        guard words[0].elementsEqual("GET".utf8) else { return .refused(405) }
        // Another name for this address would be another site's (DNS rebinding).
        let hosts = lines.dropFirst().compactMap(RedirectReader.host)
        guard hosts.count == 1, hosts[0] == authority else { return .refused(400) }
        let target = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard target.first?.elementsEqual(path.utf8) == true else { return .refused(404) }
        return .redirect(Query(parsing: target.count > 1 ? String(decoding: target[1], as: UTF8.self) : ""))
    }

    private static func host(_ line: ArraySlice<UInt8>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "host" else { return nil }
        let value = line[colon...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        return String(decoding: value.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed(), as: UTF8.self)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == 0x0D ? line.dropLast() : line
    }
}
