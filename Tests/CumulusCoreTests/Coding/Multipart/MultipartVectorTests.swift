// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

/// The cases of python-multipart (github.com/Kludex/python-multipart, bdb2b4f).
enum MultipartVectors {
    static let folder: URL = {
        let vectors = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        return URL(fileURLWithPath: vectors).appendingPathComponent("multipart")
    }()

    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// A field that the vectors expect.
    struct Field: Equatable {
        var name: String?
        var fileName: String?
        var data: [UInt8] = []
    }

    /// A case: its boundary, and its fields or `nil` for an error.
    static func expectation(_ name: String) throws -> (boundary: String, fields: [Field]?) {
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).yaml"), encoding: .utf8)
        var boundary = ""
        var fields: [Field] = []
        var data = ""
        func endData() {
            if !fields.isEmpty { fields[fields.count - 1].data = Data(base64Encoded: data).map(Array.init) ?? [] }
        }
        for line in text.split(separator: "\n") {
            let bare = line.trimmingCharacters(in: .whitespaces)
            let colon = bare.firstIndex(of: ":") ?? bare.endIndex
            let key = bare[..<colon].replacingOccurrences(of: "- ", with: "")
            let value = bare[colon...].dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: " '\""))
            switch key {
            case "boundary": boundary = value
            case "error": return (boundary, nil)
            case "name":
                endData()
                data = ""
                fields.append(Field(name: value))
            case "file_name": fields[fields.count - 1].fileName = value
            case "expected", "type", "content_type", "data", "": break
            default: data += bare
            }
        }
        endData()
        return (boundary, fields)
    }
}

@Suite(.serialized, .enabled(if: !MultipartVectors.names.isEmpty, "needs the multipart vectors"))
struct MultipartVectorTests {
    /// python-multipart decodes MIME's transfer encodings, which RFC 7578 section 4.7 deprecates; and one case names
    /// another boundary than its body has.
    private static let differing: Set<String> = [
        "base64_encoding", "mixed_case_headers", "mixed_plain_and_base64_encoding", "quoted_printable_encoding",
        "single_field_blocks",
    ]

    @Test(arguments: MultipartVectors.names) func aCaseIsReadAsItsAuthorsExpect(name: String) throws {
        let (boundary, expected) = try MultipartVectors.expectation(name)
        let bytes = try [UInt8](Data(contentsOf: MultipartVectors.folder.appendingPathComponent("\(name).http")))
        let type = MediaType("multipart", "form-data", parameters: [.init(name: "boundary", value: boundary)])
        let parts = try? ReceivedPart.parts(of: ByteChunk(bytes), type)
        if Self.differing.contains(name) { return }
        let fields = parts?.map {
            MultipartVectors.Field(name: $0.name, fileName: $0.fileName, data: $0.bytes.bytes)
        }
        #expect(fields == expected)
    }
}
