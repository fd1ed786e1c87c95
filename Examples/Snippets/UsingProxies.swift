// SPDX-License-Identifier: Apache-2.0

import Cumulus

func choose(_ site: Resource) throws {
    // snippet.choose
    let policy = try ProxyPolicy.url("http://proxy.example:3128", except: "localhost", ".internal", "10.0.0.0/8")
    site.setRules { $0.proxy = policy }
    let intranet = site["intranet"]
    intranet.setRules { $0.proxy = .none }  // for it and everything below it
    // snippet.end
    _ = intranet
}

func followEnvironment(_ site: Resource) {
    // snippet.environment
    site.setRules { $0.proxy = .environment }
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
    site.setRules { $0.proxy = .by(proxy) }
    // snippet.end
}

func split(_ site: Resource) throws {
    // snippet.schemes
    let policy = ProxyPolicy(
        http: try Proxy("http://proxy.example:3128"),
        https: try Proxy("socks5://gateway.example"),
        except: try ProxyExceptions("localhost, 192.168.0.0/16, [::1]:8080")
    )
    site.setRules { $0.proxy = policy }
    // snippet.end
}

func tell(_ site: Resource) async throws {
    // snippet.refusal
    do {
        let response = try await site.get()
        print(response.facts.proxy.map { "by \($0)" } ?? "directly")
    } catch let error as CumulusError where error.code == .proxy {
        let refusal = (error.cause as? TransportFailure)?.cause as? ProxyRefusal
        print(error.message, refusal?.reason == .credentials ? "Sign in to the proxy." : "")
    }
    // snippet.end
}
