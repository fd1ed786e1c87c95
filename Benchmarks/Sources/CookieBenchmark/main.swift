// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Measure

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

/// The most that choosing may take, in nanoseconds, of a jar with 3,000 cookies.
let bound = 2_000.0

/// How often each is done, and how many cookies a domain has; a profiler that counts instructions wants less.
let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let times = numbers.first ?? 20_000
let sizes = numbers.count > 1 ? Array(numbers.dropFirst()) : [1, 10, 50]

/// A jar of 3,000 cookies: domains with so many each.
func jar(perDomain: Int) throws -> CookieJar {
    let jar = CookieJar()
    for domain in 0..<(3_000 / perDomain) {
        for number in 0..<perDomain {
            try jar.set(
                "cookie-\(number)=0123456789abcdef0123456789abcdef; Path=/; Secure; Domain=service-\(domain).com",
                from: "https://api.service-\(domain).com/v1/login"
            )
        }
    }
    return jar
}

func benchmarkCookies() throws -> Bool {
    let measure = Measure()
    var isWithin = true
    for perDomain in sizes {
        let jar = try jar(perDomain: perDomain)
        let url = try RequestURL("https://api.service-7.com/v1/posts/8?page=2")
        let request = EncodedRequest(method: .get, url: url, headers: [.accept: "*/*", .userAgent: "benchmark"])
        var filled = request
        jar.add(to: &filled)
        let field = Array((filled.headers[.cookie] ?? "").utf8)
        // What it costs to put such a field into a request, wherever it comes from.
        let bare = measure.run("a field of \(perDomain) cookies, without a jar", times: times) {
            var sent = request
            sent.headers.append(HTTPField(name: .cookie, value: field))
            consume(sent)
        }
        let result = measure.run("the same, chosen of 3,000", times: times) {
            var sent = request
            jar.add(to: &sent)
            consume(sent)
        }
        if result.nanoseconds - bare.nanoseconds > bound { isWithin = false }
    }
    let many = try jar(perDomain: 10)
    let elsewhere = EncodedRequest(method: .get, url: try RequestURL("https://api.elsewhere.com/v1/posts/8"))
    let none = measure.run("choosing none of 3,000", times: times) {
        var sent = elsewhere
        many.add(to: &sent)
        consume(sent)
    }
    if none.nanoseconds > bound { isWithin = false }
    measure.run("taking a Set-Cookie field", times: times) {
        try? many.set(
            "sid=0123456789abcdef; Path=/; Secure; HttpOnly; Domain=service-7.com",
            from: "https://api.service-7.com/"
        )
    }
    return isWithin
}

if try !benchmarkCookies() {
    print("choosing takes more than \(Int(bound)) ns")
    exit(1)
}
