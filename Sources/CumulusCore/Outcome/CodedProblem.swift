// SPDX-License-Identifier: Apache-2.0

/// A problem that determines its error's code, regardless of the stage.
protocol CodedProblem: Error, CustomStringConvertible {
    var code: CumulusError.Code { get }
}

/// An error that passes through the stages unchanged, because it is not the caller's.
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
