// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// Parses a part's header: lines of a name, a colon and a value, each ended by CR LF.
    ///
    /// A line that begins with white space continues the previous one, as in RFC 822, on which RFC 2046 is based.
    init(partHeader bytes: ArraySlice<UInt8>, part: Int) throws(MultipartProblem) {
        self.init()
        var lines: [[UInt8]] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0D) {
            let line = rest[..<end]
            guard rest[end...].dropFirst().first == 0x0A, !line.contains(where: { $0 == 0x0A || $0 == 0 }) else {
                throw MultipartProblem(.header, part: part, "a header line contains CR, LF or NUL")
            }
            if let first = line.first, first == 0x20 || first == 0x09, let last = lines.popLast() {
                lines.append(last + line)
            } else {
                lines.append(Array(line))
            }
            rest = rest[end...].dropFirst(2)
        }
        for line in lines {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard name.count < line.count, let token = HTTPField.Name(String(decoding: name, as: UTF8.self)) else {
                throw MultipartProblem(.header, part: part, "a header line doesn't begin with a name and a colon")
            }
            let value = line[name.endIndex...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? value.startIndex
            append(HTTPField(name: token, value: value[..<end]))
        }
    }
}
