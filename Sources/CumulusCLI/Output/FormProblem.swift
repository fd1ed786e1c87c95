// SPDX-License-Identifier: Apache-2.0

/// Values that a form of `--as` can't show within its limits.
struct FormProblem: Error, Equatable, CustomStringConvertible {
    let form: TableFormat
    let reason: String
    var description: String { "--as \(form.rawValue) can't show this data: \(reason); --as json prints everything" }
}
