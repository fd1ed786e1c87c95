// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Formats a stream of independent lines, each as soon as it has arrived: JSON lines and server-sent events.
struct LineLayout {
    /// A longer line is printed as it arrives.
    private static let longest = 1 << 20

    private let kind: BodyKind
    private let style: OutputPlan
    private let limits: LayoutLimits
    private var pending: [UInt8] = []
    /// Whether the current line is too long to be formatted.
    private var isLong = false
    /// Whether any line was.
    private(set) var hasLong = false

    init(_ kind: BodyKind, style: OutputPlan, limits: LayoutLimits) {
        self.kind = kind
        self.style = style
        self.limits = limits
    }

    /// Writes the complete lines.
    mutating func take(_ bytes: some Sequence<UInt8>, _ write: OutputPieces.Write) throws {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                try finish(write)
                try write([byte])
            } else {
                pending.append(byte)
                if pending.count > LineLayout.longest { try passOn(write) }
            }
        }
    }

    /// Writes a last line without an end.
    mutating func finish(_ write: OutputPieces.Write) throws {
        if isLong { try passOn(write) }
        isLong = false
        let line = pending
        pending = []
        if line.isEmpty { return }
        // A line that ends in CR LF ends in LF on a terminal.
        try lay(style.isTerminal && line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line, write)
    }

    private mutating func passOn(_ write: OutputPieces.Write) throws {
        isLong = true
        hasLong = true
        let piece = pending
        pending = []
        try plain(piece[...], nil, write)
    }

    private func lay(_ line: [UInt8], _ write: OutputPieces.Write) throws {
        guard kind == .events else { return try json(line, write) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return try plain(line[...], .cyan, write) }
        if colon == 0 { return try plain(line[...], .faint, write) }
        try plain(line[..<colon], .cyan, write)
        let rest = line[(colon + 1)...]
        let value = rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest
        try plain(line[colon..<value.startIndex], nil, write)
        let isObject = value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[")
        if isObject { try json(Array(value), write) } else { try plain(value, nil, write) }
    }

    private func json(_ text: [UInt8], _ write: OutputPieces.Write) throws {
        if try JSONLayout(style, limits: limits).write(text, write) != .done { try plain(text[...], nil, write) }
    }

    private func plain(_ text: ArraySlice<UInt8>, _ color: TerminalColor?, _ write: OutputPieces.Write) throws {
        var pieces = OutputPieces(cleaning: style.isTerminal, theme: style.theme)
        try pieces.add(text, in: style.colors && !text.isEmpty ? color : nil, write)
        try pieces.passOn(isEnd: true, write)
    }
}
