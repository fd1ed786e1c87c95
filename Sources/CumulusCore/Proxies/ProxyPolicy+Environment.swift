// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension ProxyPolicy {
    /// The environment variables that choose a proxy, in the order in which they are read.
    package static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// The policy that the process's environment specifies, read now: `http_proxy`, `https_proxy`, `all_proxy`,
    /// `no_proxy`.
    ///
    /// See ``environment(_:)`` for the rules.
    public static var environment: ProxyPolicy {
        environment { name in getenv(name).map { String(cString: $0) } }
    }

    /// Returns the policy that environment variables specify.
    ///
    /// - `http_proxy` is for http, `https_proxy` is for https, and `all_proxy` is for a scheme without its own
    ///   variable.
    /// - `no_proxy` lists the hosts that are reached directly, in the format of ``ProxyExceptions``.
    /// - Each name may be in upper case instead, and lower case takes precedence. `HTTP_PROXY` is never read: in a CGI
    ///   program, anyone who sends a request can set it.
    /// - An empty variable is ignored. An invalid proxy fails the requests that depend on it, with an error that names
    ///   the variable; an invalid entry of `no_proxy` is omitted, since other programs may understand it, and is in
    ///   ``unreadableExceptions``.
    ///
    /// - Parameter variables: The variables with their values.
    /// - Returns: The policy.
    public static func environment(_ variables: [String: String]) -> ProxyPolicy { environment { variables[$0] } }

    private static func environment(_ value: (String) -> String?) -> ProxyPolicy {
        func found(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = value(name), !value.isEmpty { return (name, value) }
            }
            return nil
        }
        func proxy(_ names: [String]) -> Result<Proxy, ProxyMalformation>? {
            guard let (name, value) = found(names) else { return nil }
            do throws(ProxyMalformation) {
                return .success(try Proxy(value))
            } catch {
                return .failure(error.found(in: name))
            }
        }
        let all = ["all_proxy", "ALL_PROXY"]
        var others: [String] = []
        let exceptions = found(["no_proxy", "NO_PROXY"]).map { ProxyExceptions($0.value, leavingOut: &others) }
        return ProxyPolicy(
            http: proxy(["http_proxy"] + all),
            https: proxy(["https_proxy", "HTTPS_PROXY"] + all),
            except: exceptions ?? .none,
            leavingOut: others
        )
    }
}
