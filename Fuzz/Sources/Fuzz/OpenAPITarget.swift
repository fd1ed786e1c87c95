// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices

/// OpenAPI documents: nothing traps, and what is read can be verified, written and read again.
enum OpenAPITarget: FuzzTarget {
    static let name = "openapi"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let document = try? OpenAPIDocument(json: Array(input), from: "https://example.org/openapi.json") else {
            return
        }
        expect(document.gaps.count <= 1_000, "there are \(document.gaps.count) gaps")
        let service = document.service
        if service.servers.isEmpty { return }
        expect(service.verify().isEmpty, "what was read is wrong: \(service.verify())")
        let again = try? ServiceDescription(service.json)
        expect(again == service, "what was written reads as another service")
    }
}
