// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Images of every format: nothing traps, and the bytes stay as they are.
enum ImageTarget: FuzzTarget {
    static let name = "image"

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        guard let image = try? EncodedImage(bytes) else { return }
        expect(image.data.elementsEqual(bytes), "the bytes were changed")
    }
}
