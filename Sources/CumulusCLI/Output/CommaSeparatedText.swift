// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Values as comma-separated text (RFC 4180): a line of names, then a line for each value, each ended by CR LF.
enum CommaSeparatedText {
    /// Writes the text line by line.
    ///
    /// - Throws: ``FormProblem``, and `CancellationError` between two lines.
    static func write(_ values: [JSON], _ write: (String) throws -> Void) throws {
        let records = try RecordColumns(values, for: .csv)
        guard !records.names.isEmpty else { return }
        // In the response, a member has at least its quotes, a colon, a value and a comma.
        let content = records.rows.reduce(0) { $0 + 5 * $1.count }
        try records.limit(rowWidth: records.names.count, content: content, for: .csv)
        try write(line(records.names.map(field)))
        for row in records.rows {
            try Task.checkCancellation()
            try write(line(records.texts(of: row, field)))
        }
    }

    private static func line(_ fields: [String]) -> String {
        // Many readers would ignore an empty line.
        fields == [""] ? "\"\"\r\n" : fields.joined(separator: ",") + "\r\n"
    }

    /// A field, in quotes if it contains characters that would end it.
    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
