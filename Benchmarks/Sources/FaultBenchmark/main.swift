// SPDX-License-Identifier: Apache-2.0

// Calls against a server that fails by chance: how many succeed, and why the others don't. `compare_faults.py` runs it.

import CumulusCore
import CumulusNIO
import HTTPTypes
import Synchronization

/// What became of some calls.
struct Outcome: Sendable {
    var idempotent = 0
    var posts = 0
    /// How many failed with an error that says why it was not retried, by that reason.
    var failures: [String: Int] = [:]

    mutating func add(_ other: Outcome) {
        idempotent += other.idempotent
        posts += other.posts
        failures.merge(other.failures, uniquingKeysWith: +)
    }
}

/// Why a call was given up, by the decision that its error carries.
func reason(of error: any Error) -> String {
    guard let error = error as? CumulusError else { return "untyped" }
    return switch error.attempts.last?.retry?.obstacle {
    case .budget: "budget"
    case .limit: "limit"
    case .method: "method"
    case .none: "unexplained"
    default: "other"
    }
}

/// Makes the call of a number: of ten six GETs, a PUT, a DELETE and two POSTs without a key, as the other clients do.
func call(_ number: Int, of site: Resource, _ outcome: inout Outcome) async {
    let methods: [HTTPRequest.Method] = [.get, .get, .get, .get, .get, .get, .put, .delete, .post, .post]
    let method = methods[number % methods.count]
    let body: Payload = method == .put || method == .post ? .text("1") : .none
    do {
        let response = try await site.call(method, body, headers: ["X-Call": "\(number)"]).send().requireSuccess()
        guard response.bytes.count == 100 else { return outcome.failures["short", default: 0] += 1 }
        if method == .post { outcome.posts += 1 } else { outcome.idempotent += 1 }
    } catch {
        outcome.failures[reason(of: error), default: 0] += 1
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[2]), let inFlight = Int(arguments[3]),
    let policy = [
        "default": RetryPolicy.default, "no-budget": RetryPolicy(budget: nil),
        "patient": RetryPolicy(limit: 14, budget: nil),
    ][arguments[4]]
else { fatalError("URL COUNT IN-FLIGHT default|no-budget|patient") }

let site = Resource(arguments[1], transport: NIOTransport()) { $0.retry = policy }
let next = Atomic<Int>(0)
let outcome = await withTaskGroup(of: Outcome.self) { group in
    for _ in 0..<inFlight {
        group.addTask {
            var outcome = Outcome()
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < count else { return outcome }
                await call(number, of: site, &outcome)
            }
        }
    }
    var all = Outcome()
    for await part in group { all.add(part) }
    return all
}
let failures = outcome.failures.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
print("{\"idempotent\": \(outcome.idempotent), \"posts\": \(outcome.posts), ", terminator: "")
print("\"failures\": {\(failures.joined(separator: ", "))}}")
