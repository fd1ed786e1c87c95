// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

/// The cases of uritemplate-test, including the negative ones.
@Suite struct URITemplateVectorTests {
    private static let folder: String = {
        let folder = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        return "\(folder)/uri-template"
    }()

    private static let isThere = FileManager.default.fileExists(atPath: "\(folder)/spec-examples.json")

    private struct Case {
        let template: String
        let values: URITemplate.Values
        let wanted: JSON
    }

    private func cases(_ file: String) throws -> [Case] {
        let url = URL(filePath: "\(URITemplateVectorTests.folder)/\(file).json")
        let document = try JSON(parsing: Data(contentsOf: url))
        var cases: [Case] = []
        for group in try #require(document.object).values {
            var values: URITemplate.Values = [:]
            for (name, value) in try #require(group["variables"].object) { values[name] = value.templateValue }
            for example in try #require(group["testcases"].array) {
                let template = try #require(example[0].string)
                cases.append(Case(template: template, values: values, wanted: example[1]))
            }
        }
        return cases
    }

    @Test(
        "templates expand as the cases define",
        .enabled(if: isThere, "the vectors are not there"),
        arguments: [
            ("spec-examples", 64), ("spec-examples-by-section", 117), ("extended-tests", 53), ("negative-tests", 36),
        ]
    )
    func templatesExpandAsTheCasesSay(file: String, count: Int) throws {
        let cases = try cases(file)
        #expect(cases.count == count)
        for example in cases {
            let (template, values, wanted) = (example.template, example.values, example.wanted)
            let result = Result { () throws(URITemplate.Problem) in try URITemplate(parsing: template).expand(values) }
            let parsed = URITemplate(lenient: template).expandLeniently(values)
            switch wanted {
            case .string(let text):
                #expect(throws: Never.self, "\(template)") { try result.get() }
                #expect(try result.get() == text, "\(template)")
                #expect(parsed.text == text && parsed.problems.isEmpty, "\(template)")
            case .array(let texts):
                let text = try result.get()
                #expect(texts.contains(.string(text)), "\(template) -> \(text)")
            default:
                #expect(throws: URITemplate.Problem.self, "\(template)") { try result.get() }
                #expect(!parsed.problems.isEmpty, "\(template)")
            }
        }
    }
}

extension JSON {
    /// The value in the form that a template takes.
    fileprivate var templateValue: (any QueryEncodable)? {
        switch self {
        case .null: nil
        case .bool(let bool): bool
        case .number(let number): number.text
        case .string(let text): text
        case .array(let elements): elements.compactMap { $0.string ?? $0.number?.text }
        case .object(let object):
            Query(object.map { ($0.key, ($0.value.string ?? $0.value.number?.text) as (any QueryEncodable)?) })
        }
    }
}
