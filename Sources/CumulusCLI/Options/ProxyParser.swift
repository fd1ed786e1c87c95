// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Determines the proxy: `--proxy`, `--noproxy`, `--proxy-user`, otherwise the environment.
struct ProxyParser {
    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The policy; no message quotes a user or a password.
    func policy(notices: inout [String]) throws(UsageMistake) -> ProxyPolicy {
        var policy = try chosen(notices: &notices)
        if let list = options.noproxy { policy = policy.excepting(try exceptions(list, of: "--noproxy")) }
        guard let user = options.proxyUser else { return policy }
        if policy.isNone {
            throw UsageMistake(
                "--proxy-user needs a proxy",
                hint: "write --proxy URL --proxy-user USER:PASS"
            )
        }
        let (name, word) = user.split(at: ":").map { ($0.before, Optional($0.behind)) } ?? (user, nil)
        let password = try word.map { (word) throws(UsageMistake) in
            try SecretWord(of: \.proxyUser, options, in: surroundings).secret(word)
        }
        return try understood(of: "--proxy-user") { () throws(ProxyMalformation) in
            try policy.authenticated(by: Credentials(user: name, password: password ?? ""))
        }
    }

    private func chosen(notices: inout [String]) throws(UsageMistake) -> ProxyPolicy {
        guard let url = options.proxy else {
            let policy = ProxyPolicy.environment(surroundings.environment)
            if !policy.isNone, options.noproxy == nil { warn(policy.unreadableExceptions, &notices) }
            return policy
        }
        // As with curl, an empty one means none.
        if url.isEmpty { return .none }
        let proxy = try understood(of: "--proxy") { () throws(ProxyMalformation) in try Proxy(URLShorthand.address(url))
        }
        // The environment's exceptions also apply to this proxy.
        for name in ["no_proxy", "NO_PROXY"] {
            guard options.noproxy == nil, let list = surroundings.environment[name], !list.isEmpty else { continue }
            var others: [String] = []
            let exceptions = ProxyExceptions(list, leavingOut: &others)
            warn(others, &notices)
            return .by(proxy, except: exceptions)
        }
        return .by(proxy)
    }

    /// Other programs may understand what is left out.
    private func warn(_ others: [String], _ notices: inout [String]) {
        guard !others.isEmpty else { return }
        let list = others.prefix(5).map { quotedURL($0) }.joined(separator: ", ")
        let more = others.count > 5 ? " and \(others.count - 5) more" : ""
        notices.append("no_proxy: \(list)\(more) ignored: not a host, address or network")
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
            let hint = name == "--proxy" ? "for example --proxy http://proxy.example:8080, or --proxy= for none" : nil
            throw UsageMistake("\(name) is not valid: \(error.reason)", hint: hint, about: name)
        }
    }
}
