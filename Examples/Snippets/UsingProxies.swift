// SPDX-License-Identifier: Apache-2.0

import Cumulus

func choose(_ site: Resource) throws {
    // snippet.choose
    site.proxy = try .url("http://proxy.example:3128", except: "localhost", ".internal", "10.0.0.0/8")
    let intranet = site["intranet"]
    intranet.proxy = .none  // for it and everything below it
    // snippet.end
    _ = intranet
}

func followEnvironment(_ site: Resource) {
    // snippet.environment
    site.proxy = .environment
    // snippet.end
}

func authenticate(_ site: Resource, password: Secret<String>) throws {
    // snippet.credentials
    let proxy = try Proxy(
        .https,
        host: "proxy.example",
        port: 3129,
        credentials: Credentials(user: "ada", password: password)
    )
    site.proxy = .by(proxy)
    // snippet.end
}

func split(_ site: Resource) throws {
    // snippet.schemes
    site.proxy = ProxyPolicy(
        http: try Proxy("http://proxy.example:3128"),
        https: try Proxy("socks5://gateway.example"),
        except: try ProxyExceptions("localhost, 192.168.0.0/16, [::1]:8080")
    )
    // snippet.end
}

func tell(_ site: Resource) async throws {
    // snippet.refusal
    do {
        let answer = try await site.get()
        print(answer.facts.proxy.map { "by \($0)" } ?? "directly")
    } catch let error as CumulusError where error.code == .proxy {
        let refusal = (error.cause as? TransportFailure)?.cause as? ProxyRefusal
        print(error.message, refusal?.reason == .credentials ? "Sign in to the proxy." : "")
    }
    // snippet.end
}
