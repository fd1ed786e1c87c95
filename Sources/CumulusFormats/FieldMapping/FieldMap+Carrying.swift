// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension FieldMap {
    func read(_ data: JSON, _ report: FieldReport, _ set: (String, JSON) throws -> Void) throws {
        guard data.object != nil || data.array != nil else {
            return try report(FieldProblem(.shape, key: "", path: "", "the data is not an object"))
        }
        for item in items {
            guard let found = item.path.value(in: data) else {
                if !item.isOptional { try report(item.problem(.missing, "the value is missing")) }
                continue
            }
            guard let value = try carry(found, of: item, report, { try $0.read($1, $2) }) else { continue }
            do {
                try set(item.key, value)
            } catch {
                try report(item.problem(.transform, "\(error)"))
            }
        }
    }

    func write(onto data: JSON, _ report: FieldReport, _ get: (String) throws -> JSON?) throws -> JSON {
        var data = data
        for item in items {
            let own: JSON?
            do {
                own = try get(item.key)
            } catch {
                try report(item.problem(.transform, "\(error)"))
                continue
            }
            guard let own else {
                if !item.isOptional { try report(item.problem(.missing, "the value is missing")) }
                continue
            }
            guard let value = try carry(own, of: item, report, { try $0.write($1, $2) }) else { continue }
            guard let placed = item.path.placing(value, in: data) else {
                try report(item.problem(.shape, "a value on the path has the wrong type"))
                continue
            }
            data = placed
        }
        return data
    }

    /// The transformed value; `nil` if it is left out.
    private func carry(
        _ value: JSON,
        of item: Item,
        _ report: FieldReport,
        _ change: (FieldTransform, JSON, FieldReport) throws -> JSON
    ) throws -> JSON? {
        guard let transform = item.transform, !value.isNull else { return value }
        do {
            return try change(transform, value, report.inside(key: item.key, path: item.path.description))
        } catch let ended as FieldReport.Ended {
            throw ended
        } catch let problem as FieldProblem {
            try report(problem.inside(key: item.key, path: item.path.description))
        } catch {
            try report(item.problem(.transform, "\(error)"))
        }
        return nil
    }
}

extension FieldMap.Item {
    fileprivate func problem(_ kind: FieldProblem.Kind, _ reason: String) -> FieldProblem {
        FieldProblem(kind, key: key, path: path.description, reason)
    }
}

extension FieldTransform {
    /// The service's value → your type's.
    fileprivate func read(_ value: JSON, _ report: FieldReport) throws -> JSON {
        switch kind {
        case .value(let read, _): return try read(value)
        case .object(let map): return try map.object(value, report)
        case .list(let map):
            return try elements(of: value, report) { element, report in try map.object(element, report) }
        }
    }

    /// Your type's value → the service's.
    fileprivate func write(_ value: JSON, _ report: FieldReport) throws -> JSON {
        switch kind {
        case .value(_, let write): return try write(value)
        case .object(let map): return try map.written(value, report)
        case .list(let map):
            return try elements(of: value, report) { element, report in try map.written(element, report) }
        }
    }

    /// Transforms each element; one that fails is reported with its index.
    private func elements(
        of value: JSON,
        _ report: FieldReport,
        _ change: (JSON, FieldReport) throws -> JSON
    ) throws -> JSON {
        guard let array = value.array else { throw CodingProblem("it is not a list") }
        var changed: [JSON] = []
        for (index, element) in array.enumerated() {
            guard element.object != nil else {
                try report(FieldProblem(.shape, key: "\(index)", path: "\(index)", "the element is not an object"))
                continue
            }
            changed.append(try change(element, report.inside(key: "\(index)", path: "\(index)")))
        }
        return .array(changed)
    }
}

extension FieldMap {
    fileprivate func object(_ data: JSON, _ report: FieldReport) throws -> JSON {
        guard data.object != nil else { throw CodingProblem("it is not an object") }
        var values = JSON.Object()
        try read(data, report) { values[$0] = $1 }
        return .object(values)
    }

    fileprivate func written(_ value: JSON, _ report: FieldReport) throws -> JSON {
        guard let values = value.object else { throw CodingProblem("it is not an object") }
        return try write(onto: [:], report) { values[$0] }
    }
}
