// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusYAML
import Foundation
import Testing

/// Documents by others: published ones, and test cases of other readers.
///
/// One at a time, since each takes a thread of the few that all tests share for seconds.
@Suite(.serialized, .enabled(if: InteropServers.documents != nil, "\(InteropServers.reason)"))
struct OpenAPIDocumentFileTests {
    /// The result of reading a file.
    private enum End {
        case read(OpenAPIDocument, paths: Int)
        /// It is part of another document, a schema, or something else.
        case isNone
        case refused(String)
    }

    private func files() throws -> [(name: String, bytes: [UInt8])] {
        let folder = InteropServers.documents ?? ""
        var found: [(String, [UInt8])] = []
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard [".json", ".yaml", ".yml"].contains(where: { name.hasSuffix($0) }) else { continue }
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            found.append((name, [UInt8](bytes)))
        }
        return found.sorted { $0.0 < $1.0 }
    }

    private func read(_ name: String, _ bytes: [UInt8]) -> End {
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let document = name.hasSuffix(".json") ? try JSON(parsing: text) : try JSON(parsingYAML: text)
            guard document["openapi"].string != nil || document["swagger"].string != nil else { return .isNone }
            let read = try OpenAPIDocument(document, from: "https://example.org/\(name)")
            return .read(read, paths: document["paths"].object?.count ?? 0)
        } catch {
            let names = ["openapi", "swagger"].contains { word in
                text.hasPrefix(word) || text.contains("\n\(word):") || text.contains("\"\(word)\":")
            }
            return names ? .refused("\(error)") : .isNone
        }
    }

    @Test func documentsOfManyMakersAreReadOrTheirGapsAreNamed() throws {
        var (read, makers): (Int, Set<String>) = (0, [])
        for (name, bytes) in try files() {
            switch self.read(name, bytes) {
            case .isNone: continue
            case .refused(let reason):
                Issue.record("\(name): \(reason)")
            case .read(let document, let paths):
                read += 1
                makers.insert(document.service.name)
                let service = document.service
                #expect(service.servers.isEmpty || service.verify().isEmpty, "\(name): \(service.verify())")
                #expect(paths == 0 || !service.endpoints.isEmpty || !document.gaps.isEmpty, "\(name)")
                let again = service.servers.isEmpty ? service : try ServiceDescription(service.json)
                #expect(again == service, "\(name)")
            }
        }
        #expect(read >= 30, "\(read)")
        #expect(makers.count >= 15, "\(makers.sorted())")
    }

    @Test(
        "Large documents in use are read completely",
        arguments: [
            ("specs/github.yaml", 500), ("specs/docker.yaml", 80), ("specs/stripe.yaml", 300),
            ("specs/kubernetes.yaml", 500), ("openai/official/openapi.yml", 50), ("anthropic/official/openapi.yml", 20),
        ]
    )
    func known(_ name: String, endpoints: Int) throws {
        let file = try #require(try files().first { $0.name.hasSuffix(name) })
        guard case .read(let document, _) = read(file.name, file.bytes) else {
            Issue.record("\(name): \(read(file.name, file.bytes))")
            return
        }
        #expect(document.service.endpoints.count >= endpoints, "\(document.service.endpoints.count)")
        // Only details of endpoints are left out, not endpoints.
        let left = document.gaps.filter { $0.message.contains("endpoint is omitted") }
        #expect(left.isEmpty, "\(left.prefix(3))")
    }
}
