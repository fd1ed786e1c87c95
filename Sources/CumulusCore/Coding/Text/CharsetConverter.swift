// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Converts bytes between charsets with the C library's `iconv`.
struct CharsetConverter {
    let source: String
    let target: String

    init(from source: String, to target: String) {
        self.source = source
        self.target = target
    }

    /// Converts the bytes to the target's charset, all of them or none.
    ///
    /// - Throws: ``CodingProblem`` for bytes that are invalid in the charset, or if the C library lacks it.
    func convert(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1) else {
            throw CodingProblem("this system's C library can't convert \(source) to \(target)")
        }
        defer { iconv_close(converter) }
        var output: [UInt8] = []
        // No charset here needs more than four bytes per input byte, plus room for shift sequences at the end.
        let limit = bytes.count.multipliedReportingOverflow(by: 4).partialValue.addingReportingOverflow(64).partialValue
        output.reserveCapacity(bytes.count)
        // The C function's parameter is mutable; it only reads.
        var input = UnsafeMutablePointer(mutating: bytes.bindMemory(to: CChar.self).baseAddress)
        var inputLeft = bytes.count
        var isFlushing = bytes.isEmpty
        while true {
            let before = inputLeft
            let (result, problem, written) = step(converter, &input, &inputLeft, isFlushing, into: &output)
            guard output.count <= limit else { throw CodingProblem("the text becomes too long in \(target)") }
            // Since macOS 14 and iOS 17, `iconv` replaces a character that the target lacks by "?" and counts it in its
            // result (iconv(3) of FreeBSD); glibc counts only with "//TRANSLIT".
            if result > 0 { throw refusal(EILSEQ, at: before - inputLeft) }
            if result != -1 {
                if isFlushing { return output }
                isFlushing = true
            } else if problem != E2BIG || (written == 0 && inputLeft == before) {
                throw refusal(problem, at: bytes.count - inputLeft)
            }
        }
    }

    private func step(
        _ converter: iconv_t,
        _ input: inout UnsafeMutablePointer<CChar>?,
        _ inputLeft: inout Int,
        _ isFlushing: Bool,
        into output: inout [UInt8]
    ) -> (result: Int, problem: Int32, written: Int) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            var place = buffer.baseAddress
            var room = buffer.count
            var left = inputLeft
            // Without input, `iconv` writes the pending shift sequence.
            let result =
                isFlushing ? iconv(converter, nil, nil, &place, &room) : iconv(converter, &input, &left, &place, &room)
            let problem = errno
            inputLeft = left
            let written = buffer.count - room
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<written]))
            return (result, problem, written)
        }
    }

    private func refusal(_ problem: Int32, at offset: Int) -> CharsetProblem {
        let what =
            switch problem {
            case EILSEQ where target == "UTF-8": "the text is not valid \(source)"
            case EILSEQ: "\(target) can't represent a character in the text"
            case EINVAL: "the text ends inside a character of \(source)"
            default: "\(source) can't be converted to \(target), error \(problem)"
            }
        return CharsetProblem(offset: offset, description: "\(what) (byte \(offset))")
    }
}

/// Bytes that are invalid in their charset.
struct CharsetProblem: LocatedProblem, CustomStringConvertible {
    let offset: Int
    let description: String
}
