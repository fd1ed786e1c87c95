// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import CumulusCore

/// Marks and joiners after a separator don't hide it from what reads URLs, fields and queries.
@Suite struct DividedTextTests {
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{34F}"])
    func readersFindWhatDivides(mark: String) throws {
        #expect(Query(parsing: "a=\(mark)b&\(mark)c=d").items.count == 2)
        #expect(
            DeclaredChecksums(["x-goog-hash": "md5=1B2M2Y8AsgTpgAmY7PhCfg=="].fields, isPart: false).items.count == 1
        )
        #expect(throws: RequestURL.Malformation.self) {
            try Origin(authority: "a:\(mark)80", schemeOf: { _ in .http })
        }
        #expect(throws: RequestURL.Malformation.self) {
            try Origin(authority: "[::1]\(mark):80", schemeOf: { _ in .http })
        }
        #expect(BodyLabel.fileExtension(of: "/a.\(mark)b/c") == nil)
        #expect(MediaType(parsing: "text/\(mark)html") == nil)
    }
}

extension [String: String] {
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in self { if let name = HTTPField.Name(name) { fields[name] = value } }
        return fields
    }
}
