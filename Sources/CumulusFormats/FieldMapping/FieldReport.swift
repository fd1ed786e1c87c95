// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Receives fields that can't be mapped: throws the first, or lets them be left out.
struct FieldReport {
    /// A problem that ends the mapping, on its way out through the enclosing maps.
    struct Ended: Error {
        let problem: FieldProblem
    }

    private let strictness: FieldMap.Strictness
    /// The keys and paths of the enclosing maps, the innermost first.
    private var places: [(key: String, path: String)] = []

    private init(_ strictness: FieldMap.Strictness) { self.strictness = strictness }

    /// Runs work that reports problems.
    ///
    /// - Throws: `FieldProblem` if one ends the work.
    static func running<Result>(
        _ strictness: FieldMap.Strictness,
        _ work: (FieldReport) throws -> Result
    ) throws -> Result {
        do {
            return try work(FieldReport(strictness))
        } catch let ended as Ended {
            throw ended.problem
        }
    }

    /// The report for the inside of a field.
    func inside(key: String, path: String) -> FieldReport {
        var inner = self
        inner.places.insert((key, path), at: 0)
        return inner
    }

    /// Reports a problem; returns if the field should be left out.
    func callAsFunction(_ problem: FieldProblem) throws {
        let whole = places.reduce(problem) { $0.inside(key: $1.key, path: $1.path) }
        switch strictness {
        case .strict: throw Ended(problem: whole)
        case .lenient(let tell): tell(whole)
        }
    }
}

extension FieldProblem {
    /// The same problem, as the enclosing map reports it.
    func inside(key outer: String, path outerPath: String) -> FieldProblem {
        FieldProblem(
            kind,
            key: [outer, key].filter { !$0.isEmpty }.joined(separator: "."),
            path: [outerPath, path].filter { !$0.isEmpty }.joined(separator: "."),
            reason
        )
    }
}
