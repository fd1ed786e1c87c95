// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The folder of the user's service files, one for each service.
struct ServiceFolder: Equatable, Sendable {
    /// The extensions of the files, in the order of their precedence.
    static let endings = ["json", "plist", "yaml", "yml"]

    let path: String

    /// Below `$XDG_CONFIG_HOME`, otherwise below `~/.config`; `nil` if neither is known.
    init?(_ surroundings: Surroundings) {
        func absolute(_ name: String) -> String? {
            surroundings.variable(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        guard let config = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ "\($0)/.config" }) else { return nil }
        path = "\(config)/cumulus/services"
    }

    /// The services' names, sorted.
    var names: [String] {
        let files = ServiceStorage.names(in: path).filter { ServiceFolder.ending(of: $0) != nil }
        let names = Set(files.map { ServiceFolder.name(ofFile: $0) })
        return names.filter { ServiceFolder.isName($0) }.sorted()
    }

    /// The file of a service; `nil` if there is none.
    func file(_ name: String) -> String? {
        guard ServiceFolder.isName(name) else { return nil }
        return ServiceFolder.endings.map { "\(path)/\(name).\($0)" }.first(where: ServiceStorage.isThere)
    }

    /// Whether a text can be a service's name: letters, digits, dots, dashes and underscores, without a leading dot.
    static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && (1...100).contains(text.utf8.count) && !text.utf8.starts(with: ".".utf8)
    }

    /// A name derived from any text, such as a title.
    static func name(madeOf text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
            default: if let last = bytes.last, last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
            }
        }
        while bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
        return bytes.isEmpty ? "service" : String(decoding: bytes.prefix(60), as: UTF8.self)
    }

    /// The file's extension, if it is one of a service file.
    static func ending(of file: String) -> String? {
        let last = PathName.last(of: file)
        guard let dot = last.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = last.utf8[last.utf8.index(after: dot)...].text.lowercased()
        return endings.contains(ending) ? ending : nil
    }

    /// A file's name without its folder and extension.
    static func name(ofFile file: String) -> String {
        let last = PathName.last(of: file)
        guard let dot = last.utf8.lastIndex(of: UInt8(ascii: ".")), dot != last.startIndex else { return last }
        return last.utf8[..<dot].text
    }
}
