// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Hosts, addresses and networks, as in `no_proxy`: the form of exceptions.
///
/// ``ProxyExceptions`` describes the entries.
package struct HostList: Sendable, Hashable {
    /// An entry that is not a host, address or network.
    struct Malformation: Error {
        let entry: String
    }

    private enum Place: Hashable {
        case everywhere
        /// A name in lower case, without leading or trailing dots.
        case below(String)
        case network(IPNetwork)
    }

    private struct Entry: Hashable {
        var place: Place
        var port: Int?
    }

    private var entries: [Entry] = []
    /// The list as it was written.
    let text: String

    /// No entries.
    static let empty = HostList()

    private init() { text = "" }

    init(_ list: String) throws(Malformation) {
        text = list
        for part in HostList.parts(of: list) { entries.append(try HostList.entry(part)) }
    }

    /// Parses a list that someone else wrote for several programs: entries in other forms are left out.
    init(_ list: String, leavingOut others: inout [String]) {
        text = list
        for part in HostList.parts(of: list) {
            do throws(Malformation) { entries.append(try HostList.entry(part)) } catch { others.append(error.entry) }
        }
    }

    private static func parts(of list: String) -> [Substring] {
        let separators: Set<UInt8> = [UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D]
        return list.utf8.split { separators.contains($0) }.map { list[$0.startIndex..<$0.endIndex] }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether the list covers every host.
    var holdsAll: Bool { entries.contains { $0.place == .everywhere } }

    /// Whether the list covers an origin's host, by its name, or as an address if it is one.
    package func contains(_ origin: Origin) -> Bool {
        if entries.isEmpty { return false }
        let host = HostList.withoutDots(origin.host[...])
        let address = IPAddress(host)
        return entries.contains { entry in
            if let port = entry.port, port != origin.port { return false }
            switch entry.place {
            case .everywhere: return true
            case .network(let network): return address.map(network.contains) ?? false
            case .below(let name): return address == nil && (host == name || host.ends(with: "." + name))
            }
        }
    }

    /// Whether the list covers an address, regardless of the name that led to it.
    func contains(_ address: IPAddress, port: Int) -> Bool {
        entries.contains { entry in
            guard case .network(let network) = entry.place else { return false }
            return (entry.port ?? port) == port && network.contains(address)
        }
    }

    private static func entry(_ text: Substring) throws(Malformation) -> Entry {
        if text == "*" { return Entry(place: .everywhere) }
        let malformation = Malformation(entry: String(text))
        if text.begins(with: "[") {
            guard let (inside, behind) = text.cut(at: "]"), let address = IPAddress(inside.utf8.dropFirst().text) else {
                throw malformation
            }
            if let length = behind.behind("/") { return try network(address, inside, length, malformation) }
            if behind.isEmpty { return try network(address, inside, nil, malformation) }
            guard let digits = behind.behind(":"), let port = number(digits, upTo: 65_535) else { throw malformation }
            var entry = try network(address, inside, nil, malformation)
            entry.port = port
            return entry
        }
        if let (base, length) = text.cut(at: "/") {
            guard let address = IPAddress(base) else { throw malformation }
            return try network(address, base, length, malformation)
        }
        if let address = IPAddress(text) { return try network(address, text, nil, malformation) }
        guard let (host, digits) = text.cut(at: ":") else { return Entry(place: try place(text, malformation)) }
        guard let port = number(digits, upTo: 65_535) else { throw malformation }
        return Entry(place: try place(host, malformation), port: port)
    }

    private static func network(
        _ address: IPAddress,
        _ written: Substring,
        _ length: Substring?,
        _ malformation: Malformation
    ) throws(Malformation) -> Entry {
        guard let length else {
            guard let network = IPNetwork(address, prefix: address.width) else { throw malformation }
            return Entry(place: .network(network))
        }
        // The first 96 bits are the same for all IPv4 addresses mapped into IPv6.
        let skipped = address.width == 32 && written.has(":") ? 96 : 0
        guard let bits = number(length, upTo: 128), let network = IPNetwork(address, prefix: bits - skipped) else {
            throw malformation
        }
        return Entry(place: .network(network))
    }

    private static func place(_ text: Substring, _ malformation: Malformation) throws(Malformation) -> Place {
        if let address = IPAddress(text), let network = IPNetwork(address, prefix: address.width) {
            return .network(network)
        }
        var name = String(withoutDots(text.begins(with: "*.") ? text.utf8.dropFirst(2).text : text))
        if !name.utf8.allSatisfy({ $0 < 0x80 }) || HostName.hasEncodedLabel(name) {
            guard let ascii = try? HostName.ascii(name) else { throw malformation }
            name = ascii
        }
        name = name.lowercased()
        let labels = name.parts(at: ".")
        guard !labels.contains(""), name.utf8.allSatisfy(isNameByte),
            let last = labels.last, !looksNumeric(last)
        else { throw malformation }
        return .below(name)
    }

    /// Whether resolvers would read a label as a number: `127`, `0x7f`.
    private static func looksNumeric(_ label: Substring) -> Bool {
        if label.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return true }
        return label.begins(with: "0x")
            && label.utf8.dropFirst(2).allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// A trailing dot is the root of DNS, a leading one has no meaning.
    private static func withoutDots(_ name: Substring) -> Substring {
        let name = name.begins(with: ".") ? name.utf8.dropFirst().text : name
        return name.ends(with: ".") ? name.utf8.dropLast().text : name
    }

    private static func number(_ text: Substring, upTo limit: Int) -> Int? {
        guard 1...5 ~= text.utf8.count, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(text) else {
            return nil
        }
        return number <= limit ? number : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_")
    }
}

extension Substring.UTF8View.SubSequence {
    fileprivate var text: Substring { Substring(self) }
}

extension Substring {
    /// The text after its first character, if it is this one.
    fileprivate func behind(_ mark: String) -> Substring? {
        begins(with: mark) ? self[utf8.index(startIndex, offsetBy: mark.utf8.count)...] : nil
    }
}
