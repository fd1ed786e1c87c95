// SPDX-License-Identifier: Apache-2.0

/// Looks for brackets that are nested too deep before a parser does, which would take stack for each.
///
/// Brackets in texts and comments count, too: the bound is far above what anybody writes.
struct YAMLDepthScan {
    let maximumDepth: Int

    mutating func check(_ text: String) throws(YAMLProblem) {
        var depth = 0
        var dashes = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            // `- - - a` nests without brackets, and without indentation.
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: "\n"): dashes = 0
            default: if byte != UInt8(ascii: " ") { dashes = 0 }
            }
            guard depth <= maximumDepth * 8 else {
                throw YAMLProblem("the YAML is nested deeper than \(maximumDepth) levels")
            }
        }
    }
}
