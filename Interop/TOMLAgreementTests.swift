// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCLI

/// The command's configuration is the TOML that Python's tomllib reads.
@Suite(.enabled(if: InteropServers.httpbin != nil, "\(InteropServers.reason)"))
struct TOMLAgreementTests {
    @Test("10,000 random documents have the same values for both, or are refused by both")
    func documents() throws {
        var documents = RandomTOML(seed: 20_261_123)
        let texts = (0..<10_000).map { _ in documents.document() }
        let theirs = try answers(texts)
        #expect(theirs.count == texts.count)
        var refused = 0
        for (text, theirs) in zip(texts, theirs) {
            let ours = canonical(text)
            #expect(ours == theirs, "\(text.debugDescription)")
            if theirs == "error" { refused += 1 }
        }
        #expect(1_000...8_000 ~= refused, "\(refused) are refused: the documents show little")
    }

    /// tomllib's answers, a line for each document.
    private func answers(_ texts: [String]) throws -> [String] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/toml_reader.py")
        let lines = texts.map { "\(Array($0.utf8))\n" }.joined()
        let documents = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: documents) }
        try Data(lines.utf8).write(to: documents)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: documents)
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: printed, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    private func canonical(_ text: String) -> String {
        do throws(TOMLProblem) {
            return canonical(try TOMLReader.table(Array(text.utf8)))
        } catch {
            return "error"
        }
    }

    private func canonical(_ value: TOMLValue) -> String {
        switch value.content {
        case .string(let text): return "s" + hexadecimal(text)
        case .integer(let integer): return "i\(integer)"
        case .float(let float):
            if float.isNaN { return "nan" }
            let digits = String(float.bitPattern, radix: 16)
            return "f" + String(repeating: "0", count: 16 - digits.count) + digits
        case .boolean(let isTrue): return isTrue ? "b1" : "b0"
        case .date: return "d"
        case .array(let elements): return "[\(elements.map(canonical).joined(separator: ","))]"
        case .table(let members):
            let sorted = members.map { (hexadecimal($0.key), canonical($0.value)) }.sorted { $0.0 < $1.0 }
            return "{\(sorted.map { "\($0.0)=\($0.1)" }.joined(separator: ","))}"
        }
    }

    private func hexadecimal(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
