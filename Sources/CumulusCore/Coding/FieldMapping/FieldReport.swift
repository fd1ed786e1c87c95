// SPDX-License-Identifier: Apache-2.0

/// Gets of fields that can't be carried over: throws the first, or lets them be left out.
struct FieldReport {
    /// A problem that ends the work, on its way out through the maps around.
    struct Ended: Error {
        let problem: FieldProblem
    }

    private let strictness: FieldMap.Strictness
    /// The keys and paths of the maps around, the nearest first.
    private var places: [(key: String, path: String)] = []

    private init(_ strictness: FieldMap.Strictness) { self.strictness = strictness }

    /// Does work that reports problems.
    ///
    /// - Throws: ``FieldProblem`` where that ends the work.
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

    /// For what is inside a field.
    func inside(key: String, path: String) -> FieldReport {
        var inner = self
        inner.places.insert((key, path), at: 0)
        return inner
    }

    /// Tells a problem; returns where the field is to be left out.
    func callAsFunction(_ problem: FieldProblem) throws {
        let whole = places.reduce(problem) { $0.inside(key: $1.key, path: $1.path) }
        switch strictness {
        case .strict: throw Ended(problem: whole)
        case .lenient(let tell): tell(whole)
        }
    }
}
