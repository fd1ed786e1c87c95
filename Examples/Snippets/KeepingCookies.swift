// SPDX-License-Identifier: Apache-2.0

import Cumulus

func cookies(site: Resource) async throws {
    // snippet.jar
    site.setRules { $0.cookies = CookieJar() }
    try await site["login"].post(.form(["user": "ada", "password": "lovelace"])).requireSuccess()
    let me = try await site["me"].get(as: JSON.self)  // sends the cookies that the login set
    // snippet.end
    print(me)

    // snippet.branches
    let visitor = site.with { $0.cookies = CookieJar() }  // a separate session for each user
    site["public"].setRules { $0.cookies = nil }  // neither sends nor stores cookies
    // snippet.end
    _ = visitor

    // snippet.look
    let jar = CookieJar()
    print(jar.cookies.count)  // all cookies in it
    for cookie in try jar.cookies(for: "https://api.example.com/v1") {
        print(cookie.name, cookie.domain, cookie.path, cookie.expires as Any)
    }
    jar.set(try Cookie("theme", "dark", domain: "example.com", coversSubdomains: true))
    try jar.set("sid=s1; Secure; Path=/", from: "https://api.example.com/login")
    jar.remove { $0.name == "sid" }
    // snippet.end
}

func cookieFile(site: Resource, home: String) async throws {
    // snippet.file
    let jar = try await CookieJar(file: "\(home)/.local/state/atlas/cookies.txt", keepsSessionCookies: true)
    site.setRules { $0.cookies = jar }
    try await site.get().requireSuccess()
    try await jar.save()
    // snippet.end

    // snippet.curl
    let mine = CookieJar()
    try mine.importCookies(from: Array("example.com\tFALSE\t/\tTRUE\t0\tsid\ts1\n".utf8))
    let forCurl = mine.exportCookies()
    // snippet.end
    print(forCurl.count)
}
