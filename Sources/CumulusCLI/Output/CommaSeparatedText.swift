// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as comma-separated text (RFC 4180): a line of names, then a line for each value, each ended by CR LF.
enum CommaSeparatedText {
    static func text(of values: [JSON]) -> String {
        let columns = RecordColumns(values)
        guard !columns.names.isEmpty else { return "" }
        let lines = [columns.names.map(field)] + columns.rows.map { $0.map { field(RecordColumns.text($0)) } }
        return lines.map { fields in
            // Many readers would ignore an empty line.
            fields == [""] ? "\"\"\r\n" : fields.joined(separator: ",") + "\r\n"
        }.joined()
    }

    /// A field, in quotes if it contains characters that would end it.
    private static func field(_ text: String) -> String {
        let special: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        guard text.utf8.contains(where: special.contains) else { return text }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }
}
