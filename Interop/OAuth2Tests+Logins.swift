// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension OAuth2Tests {
    /// `cumulus login` and `cumulus logout` against authlib: each run is a separate process, which only knows what the
    /// previous one stored.
    ///
    /// It is in the same suite as the others, since all share one server, and tokens may only be revoked in one test at
    /// a time.
    @Suite(.enabled(if: BuiltCommand.path != nil, "needs the built command"), .timeLimit(.minutes(10)))
    struct Logins {
        private let url = InteropServers.oauth ?? ""

        /// A folder for logins that exists for one test.
        private func withHome(_ body: (_ variables: [String: String]) throws -> Void) throws {
            let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: home) }
            try body(["XDG_STATE_HOME": home.path, "CLIENT_SECRET": "s3cret"])
        }

        /// The user that the service sees; `nil` if it requires a token.
        private func who(_ variables: [String: String]) throws -> String? {
            let run = try BuiltCommand.run(["\(url)/who"], environment: variables)
            return run.status == 0 ? run.output : nil
        }

        /// The rest of a line after some words.
        private func word(behind words: String, in text: String) -> String? {
            text.range(of: words).map { text[$0.upperBound...].prefix { !$0.isWhitespace } }.map(String.init)
        }

        @Test func aProgramSignsInAndOut() throws {
            try withHome { variables in
                #expect(try who(variables) == nil)
                let login = try BuiltCommand.run(
                    ["login", url, "--issuer", url, "--client", "atlas", "--secret", "env:CLIENT_SECRET"],
                    environment: variables
                )
                #expect(login.status == 0, "\(login.errors)")
                #expect(try who(variables) == "nobody by atlas")
                _ = try BuiltCommand.run(["post", "\(url)/expire"], environment: variables)
                #expect(try who(variables) == "nobody by atlas")
                let logout = try BuiltCommand.run(["logout", url], environment: variables)
                #expect(logout.status == 0, "\(logout.errors)")
                #expect(try who(variables) == nil)
                #expect(try BuiltCommand.run(["logout", url], environment: variables).status != 0)
            }
        }

        @Test func aDeviceSignsInAndItsTokenIsTakenBack() throws {
            try withHome { variables in
                var code: String?
                let login = try BuiltCommand.run(
                    ["login", url, "--issuer", url, "--client", "cli", "--grant", "device"],
                    environment: variables
                ) { told in
                    guard code == nil, let typed = word(behind: " and type ", in: told) else { return }
                    code = typed
                    let decided = try BuiltCommand.run(["\(url)/decide", "user_code==\(typed)", "allow==yes"])
                    #expect(decided.output == "decided")
                }
                #expect(login.status == 0, "\(login.errors)")
                #expect(code != nil)
                #expect(try who(variables) == "ada by cli")
                // The refresh token is rotated, and the new one kept.
                for _ in 0..<2 {
                    _ = try BuiltCommand.run(["post", "\(url)/expire"], environment: variables)
                    #expect(try who(variables) == "ada by cli")
                }
                let token = try #require(
                    word(
                        behind: "Authorization: Bearer ",
                        in: try BuiltCommand.run(
                            ["--offline", "--show-secrets", "\(url)/who"],
                            environment: variables
                        ).output
                    )
                )
                #expect(try BuiltCommand.run(["-A", "bearer", "-a", token, "\(url)/who"]).status == 0)
                #expect(try BuiltCommand.run(["logout", url], environment: variables).status == 0)
                #expect(try BuiltCommand.run(["-A", "bearer", "-a", token, "\(url)/who"]).status == 4)
            }
        }

        @Test func aBrowserSignsIn() throws {
            try withHome { variables in
                var page: BuiltCommand.Outcome?
                let login = try BuiltCommand.run(
                    ["login", url, "--issuer", url, "--client", "cli"],
                    environment: variables
                ) { told in
                    guard page == nil, let address = word(behind: "to sign in:\n", in: told), told.hasSuffix("\n")
                    else {
                        return
                    }
                    // Follows the redirect to the command's receiver, as a browser does.
                    page = try BuiltCommand.run([address])
                }
                #expect(login.status == 0, "\(login.errors)")
                #expect(page?.output.hasPrefix("You are signed in") == true)
                #expect(try who(variables) == "ada by cli")
            }
        }

        @Test func aWrongSecretSignsNobodyIn() throws {
            try withHome { variables in
                let login = try BuiltCommand.run(
                    ["login", url, "--issuer", url, "--client", "atlas", "--secret", "wr0ng"],
                    environment: variables
                )
                #expect(login.status != 0)
                #expect(login.errors.contains("invalid_client") && !login.errors.contains("wr0ng"))
                #expect(try who(variables) == nil)
            }
        }
    }
}
