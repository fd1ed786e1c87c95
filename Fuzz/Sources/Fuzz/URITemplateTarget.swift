// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// URI templates: nothing traps, problems are inside the text, and no value leaves its place in a path.
enum URITemplateTarget: FuzzTarget {
    static let name = "uri-template"

    /// Nothing is sent.
    private struct NoTransport: Transport {
        var capabilities: TransportCapabilities { TransportCapabilities() }
        func identity(at origin: Origin) -> TransportIdentity { .unknown }
        func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
    }

    private static let hostile = ["../x", "a/b", "?q=1#f", "@evil.example/", "\r\nX: y", "%2e%2e", "\u{202E}", "{a}"]

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        let template = URITemplate(lenient: text)
        for problem in template.problems {
            expect(problem.offset <= text.utf8.count, "a problem is behind the end: \(problem)")
        }
        let strict = try? URITemplate(parsing: text)
        expect((strict != nil) == template.problems.isEmpty, "the two readings differ about \(text)")
        var values: URITemplate.Values = [:]
        for (index, name) in template.variables.enumerated() { values[name] = hostile[index % hostile.count] }
        let expanded = try? template.expand(values)
        if strict != nil, let expanded {
            expect(expanded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an expansion is no URL's text: \(expanded)")
            expect(template.expandLeniently(values).text == expanded, "the two expansions differ")
        }
        let site = Resource("https://a.example/base", transport: NoTransport())
        let child = site.child(template: template, values)
        guard let url = child.urlString else { return }
        expect(url.hasPrefix("https://a.example"), "the origin changed: \(url)")
    }
}
