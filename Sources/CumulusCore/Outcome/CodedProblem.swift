// SPDX-License-Identifier: Apache-2.0

/// A problem that knows which code its error has, whatever stage meets it.
protocol CodedProblem: Error, CustomStringConvertible {
    var code: CumulusError.Code { get }
}

/// An error that is no caller's: it passes through the stages as it is.
protocol UnstagedError: Error {}

extension Headers.Malformation: CodedProblem {
    var code: CumulusError.Code { .invalidHeader }
}

extension BodyAlreadySent: CodedProblem {
    var code: CumulusError.Code { .requestBody }
}

extension ProxyMalformation: CodedProblem {
    var code: CumulusError.Code { .invalidURL }
}

extension ContentCodingProblem: CodedProblem {
    var code: CumulusError.Code { .contentCoding }
}
