// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusJSON

@Suite struct JSONKeyTreeTests {
    @Test("a text of ever new keys fills the tree up to its limit, and no further")
    func boundedNodes() {
        let source = Array("k".utf8)
        source.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var tree = JSONKeyTree(source: base)
            for number in 0..<100_000 {
                let first = tree.addChild(of: JSONKeyTree.root, key: "a\(number)", offset: 0, length: 1)
                let second = tree.addChild(of: first, key: "b\(number)", offset: 0, length: 1)
                let object = tree.object(at: second, of: [1, 2])
                if number.isMultiple(of: 9_999) { #expect(object["b\(number)"] == 2 && object.keys.count == 2) }
                #expect(tree.count <= 20_000)
            }
        }
    }

    @Test("objects beyond the limit are read like the others, also nested, with repeated and with known keys")
    func objectsBeyondTheLimit() throws {
        let count = 20_000
        let members = (0..<count).map { number in
            #"{"id":\#(number),"k\#(number)":{"x\#(number)":[{"y\#(number)":1},{"id":2}],"z":3},"id":\#(number + 1),"w":{}}"#
        }
        let json = try JSON(parsing: Array("[\(members.joined(separator: ","))]".utf8))
        let elements = try #require(json.array)
        #expect(elements.count == count)
        for (number, element) in elements.enumerated() {
            let inner: JSON = ["x\(number)": [["y\(number)": 1], ["id": 2]], "z": 3]
            let expected: [(String, JSON)] = [("id", .number(.init(number + 1))), ("k\(number)", inner), ("w", [:])]
            guard element != .object(JSON.Object(expected)) else { continue }
            Issue.record("element \(number) is \(element)")
            break
        }
    }
}
