// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Files that someone else has made: each is replayed or refused with a typed error, within bounds.
@Suite(.timeLimit(.minutes(10))) struct HostileHARTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The outcome of a request that is replayed from a file: a status, or the kind of problem.
    private func outcome(_ har: [UInt8]) async throws -> String {
        let file = "\(folder.path)/x.har"
        try Data(har).write(to: URL(fileURLWithPath: file))
        let site = Resource("https://shop.example", transport: .replaying(from: file)) { rules in
            rules.retry = .never
            rules.deadline = .seconds(60)
        }
        do {
            return "\(try await site["x"].post(.text("hi")).statusCode)"
        } catch let error as CumulusError {
            return (error.cause as? RecordingProblem).map { "\($0.kind)" } ?? "\(error.code)"
        }
    }

    private static let entry: JSON = [
        "_order": 3, "startedDateTime": "2026-11-20T10:00:00Z", "time": 1,
        "request": [
            "method": "POST", "url": "https://shop.example/x", "httpVersion": "HTTP/1.1",
            "headers": [["name": "Accept", "value": "*/*"]], "bodySize": 2,
            "postData": ["mimeType": "text/plain", "text": "hi", "size": 2],
        ],
        "response": [
            "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
            "headers": [["name": "Content-Type", "value": "text/plain; charset=latin1"]],
            "content": ["size": 3, "mimeType": "text/plain", "text": "eWVz", "encoding": "base64"],
            "_trailers": [["name": "X-End", "value": "1"]],
            "_informational": [["status": 103, "statusText": "", "headers": []]],
            "_error": "cut", "_failure": ["kind": "truncated", "fate": "unknown", "connectionHadServed": true],
        ],
    ]

    /// Copies of a value, each with one of its members or elements replaced.
    private static func variants(of json: JSON, by other: JSON) -> [JSON] {
        if let members = json.object {
            return members.flatMap { member -> [JSON] in
                ([other] + variants(of: member.value, by: other)).map { value in
                    var members = members
                    members[member.key] = value
                    return .object(members)
                }
            }
        }
        guard let elements = json.array else { return [] }
        return elements.indices.flatMap { index -> [JSON] in
            ([other] + variants(of: elements[index], by: other)).map { value in
                var elements = elements
                elements[index] = value
                return .array(elements)
            }
        }
    }

    static let values = [
        "null", "true", "-1", "0", "1e400", "9223372036854775807", "-9223372036854775808", "1.5", "\"\"", "\"7\"",
        #""\u0000\r\nX: y""#, "[]", "{}", "[[]]", #"[{"name":"\r\n"}]"#,
    ]

    @Test("every member of every wrong type", arguments: values) func wrongTypes(value: String) async throws {
        let variants = Self.variants(of: Self.entry, by: try JSON(parsing: Array(value.utf8)))
        #expect(variants.count > 40)
        let known: Set = [
            "200", "malformed", "unknownRequest", "missingBody", "unreadable", "truncatedBody", "timeout", "cancelled",
            "transport", "connect", "connectionClosed",
        ]
        for variant in variants {
            let har: JSON = ["log": ["entries": [variant]]]
            let outcome = try await outcome(Array(har.encoded()))
            #expect(known.contains(outcome), "\(outcome): \(variant)")
        }
    }

    @Test func deepFileIsRefused() async throws {
        for opening in [#"{"log":{"entries":["#, #"{"log":"#, "["] {
            let deep = Array(String(repeating: opening, count: 200_000).utf8)
            #expect(try await outcome(deep) == "malformed")
            #expect(try await outcome(deep + Array("\n]}}\n".utf8)) == "malformed")
        }
    }

    @Test("a file of many entries is read in time that grows with its length only") func manyEntries() async throws {
        // Requests to other places, all as near as the others.
        let entry = #"{"request":{"method":"GET","url":"https://a.example/y"},"response":{"status":204}}"#
        let entries = Array(repeating: entry, count: 20_000).joined(separator: ",")
        #expect(try await outcome(Array(#"{"log":{"entries":[\#(entries)]}}"#.utf8)) == "unknownRequest")
    }

    @Test func endingInTheMiddleCutsNoValidFile() async throws {
        // The ending of our own files, in a place where JSON allows it.
        let har = "{\"log\":{\"entries\":[],\"x\":{\"y\":[\n]}}\n}"
        #expect(try await outcome(Array(har.utf8)) == "unknownRequest")
        let cut = "{\"log\":{\"entries\":[\n]}}\n{\"a\":1"
        #expect(try await outcome(Array(cut.utf8)) == "unknownRequest")
    }
}
