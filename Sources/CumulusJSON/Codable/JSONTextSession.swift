// SPDX-License-Identifier: Apache-2.0

/// The state of an encoding that writes JSON text in sequence.
///
/// The value under construction is the topmost frame, and its parents are below it. Each frame has a number, which its
/// encoder and containers use. A nested container ends with the next write to one of its parents. A
/// write to a frame that has ended, or anything else that can't be written in sequence, makes the whole text invalid.
final class JSONTextSession {
    let shared: JSONEncodingSession
    // Exclusive access needs no checks, because no other code runs while one of these properties is read or written.
    @exclusivity(unchecked) var writer = JSONWriter([])
    @exclusivity(unchecked) private var keys = JSONTextKeys()
    @exclusivity(unchecked) private(set) var top = JSONTextFrame(number: 0, step: .none)
    @exclusivity(unchecked) private var parents = JSONStack<JSONTextFrame>()
    @exclusivity(unchecked) private var lastNumber = 0
    /// Whether the value must be encoded into a tree instead.
    @exclusivity(unchecked) private(set) var isInvalid = false

    private init(_ strategies: JSON.EncodingStrategies) { shared = JSONEncodingSession(strategies) }

    /// The text, or `nil` if it can't be written in sequence or the value throws an error.
    static func text<T: Encodable>(of value: T, _ strategies: JSON.EncodingStrategies) -> [UInt8]? {
        guard !strategies.haveClosures else { return nil }
        let session = JSONTextSession(strategies)
        // The tree throws the error again.
        try? session.encode(value, at: .none)
        let isValid = !session.isInvalid
        // Encoders and containers that a type has stored write nothing from now on.
        session.invalidate()
        return isValid ? session.writer.take() : nil
    }

    /// Marks the text as one that can't be written in sequence.
    ///
    /// No method throws in this case, because encoding an integer never throws, and types may rely on that.
    func invalidate() { isInvalid = true }

    /// Encodes a value of any type; the strategies apply to types of Foundation.
    func encode<T: Encodable>(_ value: T, at step: consuming JSONPathStep) throws {
        if isInvalid || isWritten(value) { return }
        let number = begin(at: step)
        let convertsKeys = shared.convertsKeys && !(value is any JSONStringKeyed)
        do {
            try value.encode(to: JSONTextEncoder(session: self, number: number, convertsKeys: convertsKeys))
        } catch {
            // The type that contains the value may continue without it.
            invalidate()
            throw error
        }
        end(number)
    }

    // MARK: Frames

    /// Begins a value, and returns the number of its frame.
    func begin(at step: consuming JSONPathStep) -> Int {
        lastNumber += 1
        parents.append(exchange(&top, with: JSONTextFrame(number: lastNumber, step: step)))
        return lastNumber
    }

    private func end(_ number: Int) {
        if isTop(number) { endTop() }
    }

    private func endTop() {
        switch top.form {
        case .nothing:
            // As in the tree, only the outermost value must encode something.
            if parents.count == 1 { invalidate() }
            writer.append(UInt8(ascii: "{"))
            writer.append(UInt8(ascii: "}"))
        case .value: break
        case .array: writer.append(UInt8(ascii: "]"))
        case .object: writer.append(UInt8(ascii: "}"))
        }
        if let parent = parents.popLast() { top = parent }
    }

    /// Whether a frame can be written to; nested containers above it end.
    @inline(__always)
    private func isTop(_ number: Int) -> Bool { top.number == number || returned(to: number) }

    @inline(never)
    private func returned(to number: Int) -> Bool {
        guard (0..<parents.count).reversed().contains(where: { parents.base[$0].number == number }) else {
            invalidate()
            return false
        }
        while top.number != number { endTop() }
        return true
    }

    /// The path of a frame.
    func codingPath(of number: Int) -> [any CodingKey] {
        let frames = (0..<parents.count).map { parents.base[$0] } + [top]
        // The path of a frame that has ended is no longer known.
        if !frames.contains(where: { $0.number == number }) { invalidate() }
        let end = frames.firstIndex { $0.number == number } ?? frames.count - 1
        return frames[...end].compactMap(\.step.key)
    }

    // MARK: Values

    /// Begins a lone value; only one can be written.
    @inline(__always)
    func beginsValue(_ number: Int) -> Bool {
        guard isTop(number), top.form == .nothing else {
            invalidate()
            return false
        }
        top.form = .value
        return true
    }

    /// Begins an array or an object, or continues it.
    func beginContainer(_ form: JSONTextFrame.Form, _ number: Int) {
        guard isTop(number), top.form != form else { return }
        if top.form != .nothing { invalidate() }
        top.form = form
        writer.append(form == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    }

    /// Begins an element of an array.
    @inline(__always)
    func beginsElement(_ number: Int) -> Bool {
        guard isTop(number) else { return false }
        if top.count > 0 { writer.append(UInt8(ascii: ",")) }
        top.count += 1
        return true
    }

    /// The number of an array's elements, or `nil` if it has ended.
    func elementCount(of number: Int) -> Int? {
        if top.number == number { return top.count }
        for index in 0..<parents.count where parents.base[index].number == number { return parents.base[index].count }
        invalidate()
        return nil
    }

    /// Begins a member of an object with its key.
    @inline(__always)
    func beginsMember(_ number: Int, _ key: String) -> Bool {
        guard isTop(number) else { return false }
        if !keys.write(key, of: &top, to: &writer) { invalidate() }
        return true
    }
}
