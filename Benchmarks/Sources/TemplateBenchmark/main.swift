// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Measure

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The most that a simple template may take, in nanoseconds.
let bound = 1_000.0

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

func benchmarkTemplates() throws -> Bool {
    let measure = Measure()
    let simple = try URITemplate(parsing: "users/{login}/repos")
    let values: URITemplate.Values = ["login": "weipin"]
    let one = measure.run("expand users/{login}/repos", times: 500_000) { consume(try? simple.expand(values)) }
    let full = try URITemplate(parsing: "users/{login}/repos{?type,page,sort*}")
    let more: URITemplate.Values = ["login": "weipin", "type": "owner", "page": 2, "sort": ["name", "date"]]
    measure.run("expand users/{login}/repos{?type,page,sort*}", times: 200_000) { consume(try? full.expand(more)) }
    measure.run("read users/{login}/repos{?type,page,sort*}", times: 100_000) {
        consume(URITemplate(lenient: "users/{login}/repos{?type,page,sort*}"))
    }
    return one.nanoseconds <= bound
}

if try !benchmarkTemplates() {
    print("a simple template takes more than \(Int(bound)) ns")
    exit(1)
}
