// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusYAML

/// YAML: nothing traps, what comes of it is bounded, and JSON is read as JSON is.
enum YAMLTarget: FuzzTarget {
    static let name = "yaml"

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        if let json = try? JSON(parsingYAML: text, maximumDepth: 64, maximumCount: 20_000) {
            expect((try? JSON(parsing: json.encoded())) == json, "what was read can't be written")
            let again = try? JSON(parsingYAML: text, maximumDepth: 64, maximumCount: 20_000)
            expect(again == json, "read a second time, it is another value")
        }
        _ = try? ServiceDescription(yaml: text)
    }
}
