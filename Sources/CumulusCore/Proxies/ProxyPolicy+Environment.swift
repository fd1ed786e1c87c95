// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension ProxyPolicy {
    /// The environment's variables that choose a proxy, in the order in which they are read.
    package static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// What the process's environment says, read now: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
    ///
    /// See ``environment(_:)`` for how they are read.
    public static var environment: ProxyPolicy {
        environment { name in getenv(name).map { String(cString: $0) } }
    }

    /// What the variables of an environment say.
    ///
    /// - `http_proxy` is for http, `https_proxy` for https, `all_proxy` for a scheme that has no variable of its own.
    /// - `no_proxy` lists who is reached directly, as ``ProxyExceptions`` has it.
    /// - Each may be in capitals instead, and lower case comes first; except for `HTTP_PROXY`, which is never read,
    ///   since in a CGI program whoever sends a request can set it.
    /// - An empty variable says nothing. One that can't be read fails the requests that depend on it, and the error
    ///   names it.
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
        var exceptions = Result<ProxyExceptions, ProxyMalformation>.success(.none)
        if let (name, list) = found(["no_proxy", "NO_PROXY"]) {
            do throws(ProxyMalformation) {
                exceptions = .success(try ProxyExceptions(list))
            } catch {
                exceptions = .failure(error.found(in: name))
            }
        }
        return ProxyPolicy(
            http: proxy(["http_proxy"] + all),
            https: proxy(["https_proxy", "HTTPS_PROXY"] + all),
            except: exceptions
        )
    }
}
