// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A media type that was read is written and read again as the same.
enum MediaTypeTarget: FuzzTarget {
    static let name = "media-type"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let type = MediaType(String(decoding: input, as: UTF8.self)) else { return }
        let text = type.description
        let again = MediaType(text)
        expect(again == type, "\(type) reads as \(String(describing: again))")
        expect(again?.description == text, "written a second time, \(text) differs")
        for parameter in type.parameters {
            expect(type[parameter.name] != nil, "the parameter \(parameter.name) isn't found")
        }
    }
}
