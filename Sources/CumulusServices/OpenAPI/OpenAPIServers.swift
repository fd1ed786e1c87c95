// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The servers of a document, with unique names.
struct OpenAPIServers {
    static let limit = 32
    private(set) var all: [ServiceServer] = []
    private var names = OpenAPINames()

    /// Adds a server unless it exists; returns its name, `nil` if there are too many.
    mutating func add(_ server: ServiceServer) -> String? {
        if let there = all.first(where: { $0.url == server.url }) { return there.name }
        guard all.count < OpenAPIServers.limit else { return nil }
        var server = server
        server.name = names.unique(server.name.isEmpty ? server.url : server.name)
        all.append(server)
        return server.name
    }
}

extension OpenAPIReader {
    /// Reads the document's servers.
    mutating func readServers() {
        if isSwagger { return readHost() }
        guard let list = root["servers"], !list.elements.isEmpty else {
            // Without servers, it is the root of the document's origin (OpenAPI 3.1, section 4.8.1).
            addServer("/", named: "", at: "/servers")
            return
        }
        for server in list.elements { _ = readServer(server) }
    }

    /// The name of the server of an operation or its path; `nil` for the service's own.
    mutating func server(of operation: OpenAPINode, _ item: OpenAPINode) -> String? {
        guard !isSwagger, let first = (operation["servers"] ?? item["servers"])?.elements.first else { return nil }
        return readServer(first).first
    }

    /// Adds a server, and one for each other value of its variables; returns their names.
    private mutating func readServer(_ node: OpenAPINode) -> [String] {
        guard let text = node.text("url") else {
            note(node.pointer, "the server has no URL")
            return []
        }
        var defaults: [String: String] = [:]
        var others: [(name: String, value: String)] = []
        for (name, variable) in node["variables"]?.members ?? [] {
            guard let value = variable.text("default") else {
                note(variable.pointer, "the variable has no default")
                continue
            }
            defaults[name] = value
            others += variable.texts("enum").filter { $0 != value }.map { (name, $0) }
        }
        let name = node.text("description").map { PeerText.printable($0, limit: 60) } ?? ""
        var names = [addServer(OpenAPIReader.expanded(text, defaults), named: name, at: node.pointer)]
        for other in others.prefix(OpenAPIServers.limit) {
            let url = OpenAPIReader.expanded(text, defaults.merging([other.name: other.value]) { $1 })
            names.append(addServer(url, named: "", at: node.pointer))
        }
        return names.compactMap(\.self)
    }

    private static func expanded(_ text: String, _ values: [String: String]) -> String {
        var result = ""
        var rest = text[...]
        while let (before, behind) = rest.cut(at: "{"), let (name, next) = behind.cut(at: "}") {
            result += before
            result += values[String(name)] ?? "{\(name)}"
            rest = next
        }
        return result + rest
    }

    /// Reads the server of Swagger 2, which is in three members.
    private mutating func readHost() {
        let path = root.text("basePath") ?? "/"
        guard let host = root.text("host") else {
            addServer(path, named: "", at: "/basePath")
            return
        }
        var schemes = root.texts("schemes").filter { $0 == "http" || $0 == "https" }
        if schemes.isEmpty { schemes = [url?.origin.scheme.rawValue ?? "https"] }
        // The secure scheme comes first.
        if schemes.contains("https") { schemes = ["https"] + schemes.filter { $0 != "https" } }
        for scheme in schemes { addServer("\(scheme)://\(host)\(path)", named: "", at: "/host") }
    }

    @discardableResult
    private mutating func addServer(_ text: String, named name: String, at pointer: String) -> String? {
        do throws(RequestURL.Malformation) {
            let isWhole = text.lowercased().begins(with: "http://") || text.lowercased().begins(with: "https://")
            guard let server = isWhole ? try RequestURL.parse(text).url : try url?.resolving(text) else {
                note(
                    pointer,
                    "the server \(PeerText.quoted(text)) is relative to the document, whose URL is not known"
                )
                return nil
            }
            var path = server.path
            while path.utf8.count > 1, path.ends(with: "/") { path.removeLast() }
            let shown = "\(server.origin)\(path == "/" ? "" : path)"
            var found = ServiceServer(shown, name: name)
            found.isThirdParty = url.map { $0.origin != server.origin } ?? false
            let taken = servers.add(found)
            if taken == nil { note(pointer, "there are more than \(OpenAPIServers.limit) servers") }
            return taken
        } catch {
            note(pointer, "the server can't be used: \(error.description)")
            return nil
        }
    }
}
