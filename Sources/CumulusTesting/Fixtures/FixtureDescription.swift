// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A fixture as described in a file.
struct FixtureDescription {
    private static let contents = ["json", "text", "bytes", "file", "failure", "sequence"]
    private static let failures: [String: TransportFailure.Kind] = [
        "lookup": .lookup, "connect": .connect, "tls": .tls, "timeout": .timeout(.response),
        "connectionClosed": .connectionClosed, "truncated": .truncated, "malformedResponse": .malformedResponse,
    ]

    let fixture: Fixture

    init(_ value: JSON, filesIn folder: String?, depth: Int) throws(FixtureProblem) {
        switch value {
        case .string(let text): fixture = .text(text)
        case .array, .number, .bool, .null: fixture = .json(value)
        case .object(let object):
            let duration = try FixtureDescription.delay(object["duration"])
            fixture = try FixtureDescription.read(object, folder, depth).arriving(over: duration)
        }
    }

    private static func read(_ object: JSON.Object, _ folder: String?, _ depth: Int) throws(FixtureProblem) -> Fixture {
        let known = contents + ["status", "headers", "delay", "duration", "then"]
        if let odd = object.keys.first(where: { !known.contains($0) }) {
            let names = known.joined(separator: ", ")
            throw FixtureProblem("unknown member \(PeerText.quoted(odd)); the members are \(names)")
        }
        let given = contents.filter { object[$0] != nil }
        guard given.count <= 1 else {
            let names = given.joined(separator: " and ")
            throw FixtureProblem("a fixture can have only one kind of content, not \(names)")
        }
        if object["then"] != nil, given.first != "sequence" {
            throw FixtureProblem("\"then\" is allowed only with \"sequence\"")
        }
        // Each answer of a sequence has its own, and a failure has none.
        if let name = given.first, ["failure", "sequence"].contains(name) {
            if let odd = ["status", "headers", "duration"].first(where: { object[$0] != nil }) {
                throw FixtureProblem("\(PeerText.quoted(odd)) can't be combined with \(PeerText.quoted(name))")
            }
        }
        let status = try status(object["status"])
        let headers = Headers(try headers(object["headers"]))
        let delay = try delay(object["delay"])
        guard let name = given.first, let value = object[name] else {
            guard object["status"] != nil else { throw FixtureProblem("the fixture has neither content nor a status") }
            return .status(status, headers: headers, delay: delay)
        }
        switch name {
        case "json": return .json(value, status: status, headers: headers, delay: delay)
        case "text": return .text(try text(value, name), status: status, headers: headers, delay: delay)
        case "bytes":
            guard let data = Data(base64Encoded: try text(value, name)) else {
                throw FixtureProblem("\"bytes\" must be Base64")
            }
            return .bytes(data, status: status, headers: headers, delay: delay)
        case "file":
            let path = try text(value, name)
            let whole = path.begins(with: "/") ? path : (folder.map { $0.ends(with: "/") ? $0 : $0 + "/" } ?? "") + path
            return .file(whole, status: status, headers: headers, delay: delay)
        case "failure":
            let kind = try text(value, name)
            guard let failure = failures[kind] else {
                let all = failures.keys.sorted().joined(separator: ", ")
                throw FixtureProblem("the failure \(PeerText.quoted(kind)) is not one of \(all)")
            }
            return .failure(TransportFailure(failure, "a fixture for \(kind)"), delay: delay)
        default: return try sequence(value, then: object["then"], folder, depth)
        }
    }

    private static func sequence(
        _ value: JSON,
        then: JSON?,
        _ folder: String?,
        _ depth: Int
    ) throws(FixtureProblem) -> Fixture {
        guard depth == 0 else { throw FixtureProblem("a sequence can't contain another sequence") }
        guard let values = value.array, !values.isEmpty else {
            throw FixtureProblem("\"sequence\" must be a list of fixtures")
        }
        var answers: [Fixture] = []
        for value in values { answers.append(try FixtureDescription(value, filesIn: folder, depth: depth + 1).fixture) }
        switch then?.string {
        case "fail": return .sequence(answers, then: .fails)
        case "repeat": return .sequence(answers)
        case nil where then == nil: return .sequence(answers)
        default: throw FixtureProblem("\"then\" must be \"repeat\" or \"fail\"")
        }
    }

    private static func text(_ value: JSON, _ name: String) throws(FixtureProblem) -> String {
        guard let text = value.string else { throw FixtureProblem("\"\(name)\" must be a string") }
        return text
    }

    private static func status(_ value: JSON?) throws(FixtureProblem) -> HTTPResponse.Status {
        guard let value else { return .ok }
        guard let code = value.int, 200...599 ~= code else {
            throw FixtureProblem("\"status\" must be a number from 200 to 599")
        }
        return HTTPResponse.Status(code: code)
    }

    private static func delay(_ value: JSON?) throws(FixtureProblem) -> Duration {
        guard let value else { return .zero }
        guard let seconds = value.double, 0...86_400 ~= seconds else {
            throw FixtureProblem("\"delay\" must be a number of seconds from 0 to a day")
        }
        return .seconds(seconds)
    }

    private static func headers(_ value: JSON?) throws(FixtureProblem) -> HTTPFields {
        guard let value else { return [:] }
        guard let object = value.object else { throw FixtureProblem("\"headers\" must be an object of strings") }
        var headers = Headers()
        for (name, value) in object {
            let values = value.array ?? [value]
            for value in values {
                guard let text = value.string else {
                    throw FixtureProblem("the header \(PeerText.quoted(name)) must be a string")
                }
                headers.add(text, for: Headers.Name(name))
            }
        }
        do {
            return try headers.fields()
        } catch {
            throw FixtureProblem(error.description)
        }
    }
}
