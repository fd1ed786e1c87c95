// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusYAML

/// The events of YAML are those that libyaml reports through PyYAML, but for what YAML 1.2.2 and libyaml decide differently.
@Suite(.enabled(if: InteropServers.httpbin != nil, "\(InteropServers.reason)"))
struct YAMLAgreementTests {
    /// Why this reader refuses what libyaml accepts: YAML 1.2.2 refuses the first ones, the others can be read in two ways.
    private static let stricter = [
        "a comment must have a space before the #", "an empty line has more spaces than the text after it",
        "an anchor or a tag contains a character that is not allowed there", "a tag has no name after",
        "a value can't begin with \"?\" here", "no %TAG directive declares", "a key is not a scalar",
        "unexpected colon",
        "is not supported; write %YAML 1.2",
    ]

    @Test("10,000 random documents have the same events for both, or are refused by both")
    func documents() throws {
        let lines = try answers(count: 10_000)
        #expect(lines.count == 10_000)
        var counts: [String: Int] = [:]
        for line in lines {
            let answer = try JSON(parsing: line)
            let bytes = answer[0].array?.compactMap { $0.int }.compactMap { UInt8(exactly: $0) } ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            let theirs = answer[1].string ?? ""
            let difference = difference(text, theirs: theirs, isPermitted: answer[2].string ?? "")
            counts[difference ?? (theirs == "error" ? "refused" : "equal"), default: 0] += 1
        }
        #expect(counts["equal", default: 0] >= 5_000 && counts["refused", default: 0] >= 1_000, "\(counts)")
        // Each is rare, and appears.
        for difference in ["stricter", "laxer"] { #expect(1...300 ~= counts[difference, default: 0], "\(counts)") }
        #expect(counts["other", default: 0] <= 20, "\(counts)")
    }

    /// The permitted difference between both readings, if they differ; another one is an issue.
    private func difference(_ text: String, theirs: String, isPermitted permitted: String) -> String? {
        do throws(YAMLProblem) {
            let ours = try events(text)
            if ours == theirs { return nil }
            let kind = theirs == "error" ? "laxer" : "other"
            #expect(permitted == kind, "\(text.debugDescription)")
            return kind
        } catch {
            if theirs == "error" { return nil }
            let isKnown = YAMLAgreementTests.stricter.contains { error.description.contains($0) }
            #expect(isKnown, "\(text.debugDescription): \(error.description)")
            return "stricter"
        }
    }

    /// Documents with libyaml's readings, a JSON text each.
    private func answers(count: Int) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: InteropServers.python ?? "/usr/bin/python3")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/yaml_documents.py")
        process.arguments = [script.path, "20261130", "\(count)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: printed, as: UTF8.self).split(separator: "\n")
    }

    private func events(_ text: String) throws(YAMLProblem) -> String {
        var reader = YAMLEventReader(text)
        var words: [String] = []
        while true {
            switch try reader.next() {
            case .boundary, .nextDocument: words.append("D")
            case .streamEnd: return words.joined(separator: " ")
            case .scalar(let scalar, let anchor):
                let properties = "&\(hexadecimal(anchor))!\(hexadecimal(scalar.tag))"
                words.append("\(scalar.isPlain ? "p" : "q")\(properties)=\(hexadecimal(scalar.text))")
            case .sequenceStart(let anchor): words.append("[&\(hexadecimal(anchor))")
            case .mappingStart(let anchor): words.append("{&\(hexadecimal(anchor))")
            case .collectionEnd: words.append("E")
            case .alias(let name): words.append("*\(hexadecimal(name))")
            }
        }
    }

    private func hexadecimal(_ text: String?) -> String {
        (text ?? "").utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
