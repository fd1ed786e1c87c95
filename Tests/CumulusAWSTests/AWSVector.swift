// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import Testing

@testable import CumulusAWS

/// A request of the published suites for AWS Signature Version 4, if they are available.
struct AWSVector: Sendable, CustomTestStringConvertible {
    static let folder: URL = {
        let vectors = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        return URL(fileURLWithPath: vectors).appendingPathComponent("aws-sigv4")
    }()

    let name: String
    let folder: URL

    var testDescription: String { name }

    /// The folders that have a file with this kind of name.
    static func all(in suite: String, where isCase: (URL) -> Bool) -> [AWSVector] {
        let root = folder.appendingPathComponent(suite)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        let folders = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter(isCase)
        return folders.map { AWSVector(name: $0.lastPathComponent, folder: $0) }.sorted { $0.name < $1.name }
    }

    static let common = all(in: "v4") { folder in
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("context.json").path)
    }
    static let botocore = all(in: "botocore") { folder in
        let name = folder.lastPathComponent
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("\(name).req").path)
    }

    func text(_ file: String) throws -> String {
        let text = String(decoding: try Data(contentsOf: folder.appendingPathComponent(file)), as: UTF8.self)
        return text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// A request as the suites write it.
    struct Request {
        var method = ""
        var target = ""
        var fields: [(name: String, value: String)] = []
        var body = ""

        init(_ text: String) {
            let lines = text.components(separatedBy: "\n")
            let first = lines[0]
            method = String(first.prefix { $0 != " " })
            target = String(first.dropFirst(method.count + 1).dropLast(" HTTP/1.1".count))
            var rest = lines.dropFirst()
            while let line = rest.first, !line.isEmpty {
                rest = rest.dropFirst()
                if line.first == " ", !fields.isEmpty {
                    fields[fields.count - 1].value += line
                } else {
                    let (name, value) = line.cut(at: ":") ?? (line[...], "")
                    fields.append((name.lowercased(), String(value)))
                }
            }
            body = rest.dropFirst().joined(separator: "\n")
        }
    }
}
