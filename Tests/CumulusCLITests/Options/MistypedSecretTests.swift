// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// Mistyped lines with a secret that the shell has split, that lacks its option, or that is joined to a wrong one.
@Suite struct MistypedSecretTests {
    @Test(arguments: [
        [":3000/x", "x=Bearer", "hunter2"], [":3000/x", "h=bearer", "hunter2"],
        ["download", ":3000/x", "x==Bearer", "hunter2"], ["GET", "-a", "u:my", "hunter2", ":3000/x"],
        ["POST", "-a", "u:my", "hunter2", ":1/404", "x=1"], ["-a", "u:p", "hunter2/x", ":3000/x"],
        ["-a", "u:p", "ahunter2.b", ":3000/x"], ["download", "-a", "u:p", "hunter2/x", ":3000/x"],
        ["download", "-a", "u:p", "hunter2.x", ":3000/x"], ["download", "-a", "u:p", "hunter2:80", ":3000/x"],
        ["-A", "bearer", "hunter2==", ":3000/x"], ["-A", "bearer", "hunter2=", ":3000/x"],
        ["-A", "bearer", "hunter2:abc", ":3000/x"], ["-a", "u:p", "hunter2=x", ":3000/x"],
        ["--cert-pass", "x", "hunter2=", ":3000/x"], ["--proxy-user", "a:b", "hunter2:x", ":3000/x"],
        ["events", "-A", "bearer", "hunter2=", ":3000/x"], ["POST", "-A", "bearer", "hunter2=", ":3000/x", "x=1"],
        [":3000/x", "-a", "u:p", "hunter2:a", "x"], ["upload", "x.bin", ":3000/x", "-a", "u:p", "hunter2:a", "x"],
        ["download", ":3000/x", "-a", "u:p", "hunter2:a", "x"], [":3000/x", "-a", "u:p", "hunter2;x"],
        [":3000/x", "-a", "u:p", "hunter2@x"], [":3000/x", "-a", "u:p", "hunter2[=1"],
        ["download", ":3000/x", "-a", "u:p", "hunter2="], ["upload", "x.bin", ":3000/x", "-a", "u:p", "hunter2="],
        [":3000/x", "data:={password:", "hunter2}"], [":3000/x", "data:={\"password\":\"hunter2\"}", "x"],
        [":3000/x", "data", ":=", "{\"password\":\"hunter2\"}"], [":3000/x", "q=password: hunter2", "x"],
        [":3000/x", "a=1&token=hunter2", "x"], [":3000/x", "user", "=", "token=hunter2"],
        [":3000/x", "q", "==", "token=hunter2"], [":3000/x", "--raw", "{password:", "hunter2}"],
        [":3000/x/?token=", "hunter2"], [":3000/x/?password=a", "hunter2"],
        ["curl", "curl -H Authorization: Bearer hunter2 :3000/x"], ["curl", "curl :3000/x -u u:a hunter2"],
        ["curl", "curl :3000/x -H X-Api-Key: hunter2"], ["curl", "curl :3000/x -d {\"password\": \"hunter2\"}"],
        ["curl", "curl --user:hunter2 :3000/x"], ["curl", "wget --password=hunter2 :3000/x"],
        ["upload", "x.bin", "s3://AKID:hunter2@bucket/key"], ["upload", "-a", "u:p", "x.bin", "hunter2", ":3000/x"],
        ["upload", "x.bin", "hunter2", ":3000/x", "-A", "bearer"],
        ["call", "-a", "u:p", "hunter2", "api.yaml", "getu"], ["services", "show", "-a", "u:p", "hunter2"],
        ["-a", "env:", "hunter2", ":3000/x"], ["-a", "u:env:", "hunter2", ":3000/x"], ["--auth-hunter2", ":3000/x"],
        ["--auth_hunter2", ":3000/x"], ["--auth.hunter2", ":3000/x"], ["--authhunter2", ":3000/x"],
        ["http://u:", "hunter2@127.0.0.1"], [":3000/x", "-a", "u:a", "hunter2@b"], ["-auth:hunter2", ":3000/x"],
        ["-auth=hunter2", ":3000/x"],
        ["curl -u ada:hunter2 http://127.0.0.1:1/"], ["trust", "http://ada:hunter2@h/"],
        ["sessions", "list", "http://ada:hunter2@h/"], ["help", "http://ada:hunter2@h/"],
    ])
    func `no mistake shows a secret`(arguments: [String]) {
        let found = mistake(arguments)
        #expect(found != nil && "\(String(describing: found))".lowercased().contains("hunter2") == false)
    }
}
