// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Determines the proxy: `--proxy`, `--noproxy`, `--proxy-user`, otherwise the environment.
struct ProxyParser {
    private let options: ConnectionOptions
    private let surroundings: Surroundings

    init(_ options: ConnectionOptions, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The policy; no message quotes a user or a password.
    func policy() throws(UsageMistake) -> ProxyPolicy {
        var policy = try chosen()
        if let list = options.noproxy { policy = policy.excepting(try exceptions(list, of: "--noproxy")) }
        guard let user = options.proxyUser else { return policy }
        if policy.isNone {
            throw UsageMistake(
                "--proxy-user needs a proxy",
                hint: "--proxy URL --proxy-user USER:PASS"
            )
        }
        let (name, word) = user.split(at: ":").map { ($0.before, Optional($0.behind)) } ?? (user, nil)
        let password = try word.map { (word) throws(UsageMistake) in
            try SecretWord(of: "--proxy-user", in: surroundings).secret(word)
        }
        return try understood(of: "--proxy-user") { () throws(ProxyMalformation) in
            try policy.authenticated(by: Credentials(user: name, password: password ?? ""))
        }
    }

    private func chosen() throws(UsageMistake) -> ProxyPolicy {
        guard let url = options.proxy else { return .environment(surroundings.environment) }
        // As with curl, an empty one means none.
        if url.isEmpty { return .none }
        let proxy = try understood(of: "--proxy") { () throws(ProxyMalformation) in try Proxy(url) }
        // The environment's exceptions also apply to this proxy.
        for name in ["no_proxy", "NO_PROXY"] {
            guard options.noproxy == nil, let list = surroundings.environment[name], !list.isEmpty else { continue }
            return .by(proxy, except: try exceptions(list, of: name))
        }
        return .by(proxy)
    }

    private func exceptions(_ list: String, of name: String) throws(UsageMistake) -> ProxyExceptions {
        try understood(of: name) { () throws(ProxyMalformation) in try ProxyExceptions(list) }
    }

    private func understood<Value>(
        of name: String,
        _ read: () throws(ProxyMalformation) -> Value
    ) throws(UsageMistake) -> Value {
        do throws(ProxyMalformation) {
            return try read()
        } catch {
            let hint = name == "--proxy" ? "--proxy http://proxy.example:8080, or --proxy= for none" : nil
            throw UsageMistake("\(name) is refused: \(error.reason)", hint: hint)
        }
    }
}
