// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Single values: the text of each Swift type.

extension JSONTextSession {
    func writeNull() { writer.writeNull() }
    func write(_ bool: Bool) { writer.write(bool) }
    func write(_ string: String) { writer.write(string) }
    func write(_ integer: UInt64) { writer.write(integer) }
    func write(_ integer: Int) { writer.write(Int64(integer)) }
    func write(wide integer: some FixedWidthInteger) { writer.write(JSON.Number(integer)) }

    func write<T: BinaryFloatingPoint & LosslessStringConvertible>(_ value: T) {
        if value.isFinite {
            writer.write(JSON(finite: value))
        } else if let text = shared.strategies.text(ofNonConforming: value) {
            writer.write(text)
        } else {
            invalidate()
        }
    }

    /// The encoder of a nested container or a superclass, after its key or comma; one that writes nothing without that.
    func nestedEncoder(_ hasBegun: Bool, at step: consuming JSONPathStep) -> JSONTextEncoder {
        let number = hasBegun ? begin(at: step) : JSONTextFrame.unknown
        return JSONTextEncoder(session: self, number: number, convertsKeys: shared.convertsKeys)
    }

    /// Writes a value of a type that doesn't encode itself; returns false for all others.
    ///
    /// Not inlined, so that nested values take little of the stack.
    @inline(never)
    func isWritten<T: Encodable>(_ value: T) -> Bool {
        // All these types are small. The comparison is cheaper than those with each of them.
        if MemoryLayout<T>.size > 64 { return false }
        if T.self == [Int].self, let integers = value as? [Int] {
            writer.write(integers) { $0.write(Int64($1)) }
        } else if T.self == [String].self, let strings = value as? [String] {
            writer.write(strings) { $0.write($1) }
        } else if T.self == [Double].self, let doubles = value as? [Double], doubles.allSatisfy(\.isFinite) {
            writer.write(doubles) { $0.write(JSON.Number(storage: .double($1))) }
        } else if T.self == JSON.self, let json = value as? JSON {
            writer.write(json)
        } else if T.self == Date.self, let date = value as? Date {
            write(date)
        } else if T.self == URL.self, let url = value as? URL {
            writer.write(url.absoluteString)
        } else if T.self == Decimal.self, let decimal = value as? Decimal {
            if let number = JSON.Number(text: decimal.description) { writer.write(number) } else { invalidate() }
        } else if T.self == Data.self, case .base64 = shared.strategies.data, let data = value as? Data {
            writer.write(data.base64EncodedString())
        } else {
            return false
        }
        return true
    }

    private func write(_ date: Date) {
        switch shared.strategies.dates {
        case .deferredToDate: write(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: write(date.timeIntervalSince1970)
        case .millisecondsSince1970: write(date.timeIntervalSince1970 * 1000)
        case .iso8601:
            if let text = ISO8601Date.text(date) { writer.write(text) } else { invalidate() }
        case .custom: invalidate()
        }
    }
}
