// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A charset, found by one of its names in a fixed list, since a peer must not choose what the C library loads.
///
/// Names and their meaning follow the WHATWG Encoding Standard, except that Latin-1 and US-ASCII mean exactly these.
enum Charset: Sendable, Equatable {
    case utf8
    case ascii
    case latin1
    /// `nil` follows the byte order mark, or else means big-endian (RFC 2781 section 4.3).
    case utf16(bigEndian: Bool?)
    case utf32(bigEndian: Bool?)
    /// A charset that the C library converts, with its name there.
    case converted(String)

    /// The charset that a media type names; `nil` for none, and for an unknown one.
    init?(of mediaType: MediaType?) {
        guard let name = mediaType?["charset"] else { return nil }
        // Some servers use quotes that RFC 9110 doesn't know, or forget one.
        self.init(named: String(name.unicodeScalars.filter { $0 != "'" && $0 != "\"" }))
    }

    /// The charset with a name; `nil` for an unknown one.
    init?(named name: String) {
        let name = name.lowercased()
        switch name {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "cp819": self = .latin1
        case "utf-16", "utf16": self = .utf16(bigEndian: nil)
        case "utf-16le": self = .utf16(bigEndian: false)
        case "utf-16be": self = .utf16(bigEndian: true)
        case "utf-32", "utf32": self = .utf32(bigEndian: nil)
        case "utf-32le": self = .utf32(bigEndian: false)
        case "utf-32be": self = .utf32(bigEndian: true)
        default:
            guard let converted = Charset.converted(name) else { return nil }
            self = .converted(converted)
        }
    }

    /// The C library's name of a charset that it converts.
    private static func converted(_ name: String) -> String? {
        switch name {
        case "gb2312", "gb_2312-80", "chinese", "euc-cn", "gbk", "x-gbk", "cp936": "GBK"
        case "gb18030": "GB18030"
        case "big5", "big5-hkscs", "cn-big5", "x-x-big5": "BIG5-HKSCS"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji": "CP932"
        case "euc-jp", "x-euc-jp": "EUC-JP"
        case "iso-2022-jp": "ISO-2022-JP"
        case "euc-kr", "ks_c_5601-1987", "korean", "windows-949", "ksc5601": "CP949"
        case "koi8-r", "koi8", "koi8_r": "KOI8-R"
        case "koi8-u", "koi8-ru": "KOI8-U"
        case "ibm866", "cp866", "866": "CP866"
        case "macintosh", "mac", "x-mac-roman": "MACINTOSH"
        case "windows-874", "tis-620", "iso-8859-11": "CP874"
        default: numbered(name)
        }
    }

    /// The two numbered families: `iso-8859-2` to `-16` and `windows-1250` to `-1258`.
    private static func numbered(_ name: String) -> String? {
        for prefix in ["iso-8859-", "iso8859-", "iso_8859-"] where name.begins(with: prefix) {
            guard let part = UInt8(Substring(name.utf8.dropFirst(prefix.utf8.count))), part != 11, part != 12,
                2...16 ~= part
            else { break }
            return "ISO-8859-\(part)"
        }
        for prefix in ["windows-", "cp", "x-cp"] where name.begins(with: prefix) {
            guard let page = UInt16(Substring(name.utf8.dropFirst(prefix.utf8.count))), 1250...1258 ~= page else {
                continue
            }
            return "CP\(page)"
        }
        return nil
    }
}

extension Charset {
    /// Decodes bytes as text.
    func decode(_ bytes: UnsafeRawBufferPointer) throws -> String {
        switch self {
        case .utf8:
            guard let text = Charset.utf8Text(bytes) else { throw CodingProblem("the text is not valid UTF-8") }
            return text
        case .ascii:
            guard bytes.allSatisfy({ $0 < 0x80 }) else { throw CodingProblem("the text is not valid US-ASCII") }
            return String(decoding: bytes, as: UTF8.self)
        case .latin1: return Charset.latin1Text(bytes)
        case .utf16(let bigEndian):
            return try Charset.utf16Text(bytes, bigEndian: bigEndian ?? !bytes.starts(with: [0xFF, 0xFE]))
        case .utf32(let bigEndian):
            return try Charset.utf32Text(bytes, bigEndian: bigEndian ?? !bytes.starts(with: [0xFF, 0xFE, 0, 0]))
        case .converted(let name):
            let utf8 = try CharsetConverter(from: name, to: "UTF-8").convert(bytes)
            guard let text = String(validating: utf8, as: UTF8.self) else {
                throw CodingProblem("the text is not valid \(name)")
            }
            return text
        }
    }

    /// Encodes a text; UTF-16 and UTF-32 without a named byte order begin with a byte order mark.
    func encode(_ text: String) throws -> [UInt8] {
        switch self {
        case .utf8: return Array(text.utf8)
        case .ascii: return try narrow(text, limit: 0x7F, name: "US-ASCII")
        case .latin1: return try narrow(text, limit: 0xFF, name: "ISO-8859-1")
        case .utf16(let bigEndian):
            let units = bigEndian == nil ? [0xFEFF] + Array(text.utf16) : Array(text.utf16)
            return units.flatMap { bigEndian == false ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : Charset.bigEndian($0) }
        case .utf32(let bigEndian):
            let scalars = text.unicodeScalars.map(\.value)
            return (bigEndian == nil ? [0xFEFF] + scalars : scalars).flatMap { scalar in
                let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar >> UInt32($0)) }
                return bigEndian == false ? bytes.reversed() : bytes
            }
        case .converted(let name):
            let utf8 = Array(text.utf8)
            return try utf8.withUnsafeBytes { try CharsetConverter(from: "UTF-8", to: name).convert($0) }
        }
    }

    /// Text in UTF-8, without its byte order mark; `nil` if it is invalid.
    static func utf8Text(_ bytes: UnsafeRawBufferPointer) -> String? {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes
        return String(validating: text, as: UTF8.self)
    }

    /// Text in Latin-1, for which any bytes are valid.
    static func latin1Text(_ bytes: UnsafeRawBufferPointer) -> String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            if byte < 0x80 {
                utf8.append(byte)
            } else {
                utf8.append(0xC0 | byte >> 6)
                utf8.append(0x80 | byte & 0x3F)
            }
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    private static func bigEndian(_ unit: UInt16) -> [UInt8] { [UInt8(unit >> 8), UInt8(unit & 0xFF)] }

    private func narrow(_ text: String, limit: UInt32, name: String) throws -> [UInt8] {
        try text.unicodeScalars.map { scalar in
            guard scalar.value <= limit else {
                throw CodingProblem("\(name) can't represent U+\(String(scalar.value, radix: 16, uppercase: true))")
            }
            return UInt8(truncatingIfNeeded: scalar.value)
        }
    }

    private static func utf16Text(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) throws -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bigEndian ? first << 8 | second : second << 8 | first)
        }
        if units.first == 0xFEFF { units.removeFirst() }
        guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw CodingProblem("the text is not valid UTF-16")
        }
        return text
    }

    private static func utf32Text(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) throws -> String {
        var text = String.UnicodeScalarView()
        var index = 0
        while index + 4 <= bytes.count {
            let value = bytes[index..<index + 4].reduce((big: UInt32(0), little: UInt32(0))) {
                ($0.big << 8 | UInt32($1), $0.little >> 8 | UInt32($1) << 24)
            }
            guard let scalar = Unicode.Scalar(bigEndian ? value.big : value.little) else { break }
            if index > 0 || scalar.value != 0xFEFF { text.append(scalar) }
            index += 4
        }
        guard index == bytes.count else { throw CodingProblem("the text is not valid UTF-32") }
        return String(text)
    }
}
