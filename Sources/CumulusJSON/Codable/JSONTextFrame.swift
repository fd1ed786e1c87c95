// SPDX-License-Identifier: Apache-2.0

/// A value under construction.
struct JSONTextFrame {
    enum Form {
        case nothing, value, array, object
    }

    /// The number of a value that can't be written.
    static let unknown = -1

    let number: Int
    let step: JSONPathStep
    var form = Form.nothing
    /// The number of an array's elements.
    var count = 0
    /// The last key's node in the session's tree, unless the object has its own keys.
    var node = JSONShapeTree.root
    var ownKeys: JSONShape?
}
