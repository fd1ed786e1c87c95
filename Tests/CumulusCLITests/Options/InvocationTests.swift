// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct InvocationTests {
    private static let mistakes: [(arguments: [String], reason: String, hint: String?)] = [
        ([], "missing URL", "cumulus [METHOD] URL"),
        (["get"], "missing URL after the method 'get'", "cumulus get URL"),
        (["--nope", "x.y"], "--nope", "cumulus help request"),
        (["-X", "PUT", "x.y"], "-X", "write the method first"),
        (["-H", "a: b", "x.y"], "-H", "Name:value"),
        (["-d", "a=b", "x.y"], "-d", "--raw"),
        (["-k", "x.y"], "-k", "--verify=no"),
        (["-L", "x.y"], "-L", "--no-follow"),
        (["-p", "Hx", "x.y"], "unknown part 'x' in --print", "H and B"),
        (["-verbose", "x.y"], "--verbose needs two dashes", "write --verbose"),
        (["-output=x", "x.y"], "--output needs two dashes", "write --output"),
        (["\u{2014}verbose", "x.y"], "a typographic dash", "write --verbose"),
        (["\u{2013}v", "x.y"], "a typographic dash", "write -v"),
        (["-follow", "x.y"], "--follow needs two dashes", "write --follow"),
        (["-fail", "x.y"], "unknown option '--fail'", "exit code"),
        (["\u{2013}jv", "x.y"], "a typographic dash", "write - or -- instead"),
        (["\u{2014}no-sorted", "x.y"], "a typographic dash", "write --no-sorted"),
        (["https", ":3000/x"], "unknown method or command 'https'", "https:// before localhost"),
        (["http", ":3000/x"], "unknown method or command 'http'", "omit http: cumulus URL"),
        (["events", "--until", ".state == \"done\"", "x.y"], "not a condition", "--until '[DONE]'"),
        (["x.y", "--until", ".n == 5 && .state == \"done\""], "takes one comparison", ".state == \"done\""),
        (["x.y", "download"], "the item 'download' has no separator", "write the command first"),
        (["x.y", "a", "=", "1"], "the item 'a' has no separator", "write 'a=VALUE' without spaces"),
        (["x.y", "q", "==", "x y"], "the item 'q' has no separator", "write 'q==VALUE' without spaces"),
        (["x.y", "Content-Type:", "application/json"], "'Content-Type:' is split", "write Content-Type:VALUE"),
        (["x.y", "@my", "file.txt"], "the value of '@' is split", "write @FILE, with quotes"),
        (["x.y", "a:=[1,", "2]"], "the value of 'a:=' is split", "write 'a:=VALUE', with quotes"),
        (["x.y", "Cookie:", "sid=abc"], "separates Cookie from its value", "write Cookie:NAME=VALUE"),
        (["x.y", "?q=x"], "begins with '?'", "in the URL"),
        (["x.y", "/path"], "no separator", "write the path in the URL"),
        (["GET", "http://x.y/", "HTTP/1.1"], "no separator", "omit this item"),
        (["Authorization:", "Bearer", "x", "x.y"], "comes before the URL", "a value with spaces needs quotes"),
        (["word", ":3000/"], "unknown method", "in capitals: cumulus WORD URL"),
        (["w0rd", ":3000/"], "unexpected word 'w0rd' before the URL", "for a host without a dot"),
        (["localhost", ":3000/"], "the URL contains a space", "write localhost:3000/"),
        (["--every", "100", "ms", ":3000/"], "unknown method or command 'ms'", "without a space"),
        (["cumulus", ":3000/"], "unknown method or command 'cumulus'", "omit the second"),
        (["-a", "env:TOKEN", "x.y"], "a user name before env:NAME", "-A bearer -a env:NAME"),
        (["-A", "bearer", "x.y"], "--auth-type needs --auth", "-A bearer -a TOKEN"),
        (["-cert-passs=x", "x.y"], "unknown option '-cert-passs'", "did you mean --cert-pass?"),
        (["download", "--silent", "x.y"], "unknown option", "write -q"),
        (["-a", "ada:env:X", "x.y", "-"], "no separator", "@- sends standard input"),
        (["-a", "ada:x", "x.y", "/path"], "not an item", "write the path in the URL"),
        (["-a", "ada:x", "http", ":3000/"], "unknown method or command 'http'", "omit http"),
        (["-outfile", "x.json", "x.y"], "unknown option '--outfile'", "write -o FILE"),
        (["-out=x.json", "x.y"], "unknown option '--out'", "write -o FILE"),
        (["-ouput=x", "x.y"], "'-ouput' has only one dash", "did you mean --output?"),
        (["-sSLO", "x.y"], "unknown option '-sSLO'", "omit this option"),
        (["-LJO", "x.y"], "unknown option '-LJO'", "cumulus download URL"),
        (["-sSLo", "f", "x.y"], "unknown option '-sSLo'", "write -o FILE"),
        (["--outfile", "f", "x.y"], "unknown option '--outfile'", "write -o FILE"),
        (["-forms", "x.y", "a=1"], "unknown option '-forms'", "did you mean --form?"),
        (["-help"], "--help needs two dashes", "write --help"),
        (["-output.txt", "x.y"], "--output needs two dashes", "write --output"),
        (["-fsSL", "x.y"], "unknown option '-fsSL'", "omit this option: redirects are followed"),
        (["-sS", "x.y"], "unknown option '-sS'", "-q hides the body too"),
        (["--compressed-ssh", "x.y"], "unknown option", "did you mean --compressed?"),
        (["--proxy", "http://x.y:3128/"], "missing URL", "the only URL is the value of --proxy"),
        (["x.y", "ok:=True"], "not valid JSON", "did you mean ok:=true?"),
        (["localhost/list:3000"], "the port comes after the path", "write localhost:3000/list"),
        (["-a", ":3000/basic", "ada:secret"], "the value of --auth is a URL", "-a USER:PASSWORD URL"),
        (["--filter", "\u{2018}.name\u{2019}", "x.y"], "has a syntax error at character", "typographic quote"),
        (["x\\list"], "a backslash", "write / in place"),
        (["http://ada:p/w@x.y/"], "port", "%2F"),
        (["-o", "my", "file.json", ":3000/"], "2 URLs, 'file.json' and ':3000/'", "a file name with a space"),
        (["--watch", "2s", "--tries", "3", "x.y"], "--tries needs --until", "--watch runs until Ctrl-C"),
        (["x.y", "{a:1}"], "JSON text is not an item", "--raw '{"),
        (["events", "--until", "status == 200", "x.y"], "not a condition", "--until '[DONE]'"),
        (["3000/list"], "the URL '3000/list' has no host", "write :3000/list"),
        (["\"http://x.y/\""], "the URL begins with a quote", "not inside it"),
        (["-A", "Mozilla/5.0", "x.y"], "--auth-type must be one of", "User-Agent:TEXT"),
        (["--timeout", "soon", "x.y"], "soon", nil),
        (["--timeout=-1", "x.y"], "--timeout takes a number of seconds", "0 means no limit"),
        (["--timeout", "nan", "x.y"], "--timeout takes a number of seconds", nil),
        (["--http-version", "3", "x.y"], "--http-version takes 1.1, 2 or auto", nil),
        (["--max-redirects=-2", "x.y"], "--max-redirects takes", nil),
        (["--max-redirects=2", "--no-follow", "x.y"], "can't be combined", nil),
        (["-j", "-f", "x.y"], "--json and --form", nil),
        (["--raw", "x", "x.y", "a=1"], "can't both be the body", "a==text"),
        (["-A", "bearer", "x.y"], "needs --auth", nil),
        (["-A", "hawk", "-a", "a:b", "x.y"], "hawk", nil),
        (["-A", "bearer", "-a", "a b", "x.y"], "not allowed in a header", nil),
        (["--base", "x.y", "get", "https://a.b"], "path below the base", "omit --base"),
        (["--base", "x.y", "get", "a#b"], "contains a #", "%23"),
        (["--explain-exit", "42"], "not an exit code", "0, 1, 2"),
        (["x.y", "get"], "no separator", "before the URL"),
        (["--pretty", "maybe", "x.y"], "maybe", nil),
        (["--retry", "-1", "x.y"], "--retry takes a number from 0 to 1000", nil),
        (["--retry=-1", "x.y"], "--retry takes a number from 0 to 1000", nil),
        (["-a", "", "x.y"], "--auth is empty", "-a USER:PASSWORD"),
        (["-o", "", "x.y"], "--output is empty", "-o FILE"),
        (["--json=", "x.y"], "--json does not take a value", "write --json"),
        (["download", "x.y", "--continue="], "--continue does not take a value", "write --continue"),
        (["--unix-socket=", "x.y"], "--unix-socket is empty", "docker.sock"),
        (["upload", "", "x.y"], "the file's name is empty", "upload FILE URL"),
        (["--no-config", "--profile", "w", "x.y"], "--profile and --no-config can't be combined", nil),
        (["download", "--no-config", "--profile=w", "x.y"], "--profile and --no-config can't be combined", nil),
        (["--profile", "", "x.y"], "no configuration file defines the profile ''", "[profiles.\"\"]"),
        (["edit", "x.y", "--by"], "missing value for '--by", "put or merge-patch"),
        (["download", "-i"], "missing value for '-i", "-i LIST"),
        (["edit", "x.y", "-k"], "-k", "--verify=no"),
        (["-h", "--as", "csv", "x.y"], "--as needs the body, which is not printed", "-p hb"),
        (["services", "--", "-h"], "services has no command '-h'", nil),
        (["-p", "Hm", "--as=yaml", "x.y"], "--as needs the body, which is not printed", "-p hb"),
        (["-a", ":7002/x"], "missing URL", "--auth took the URL as its value"),
        (["download", "-o", "https://x.y/f"], "missing URL", "--output took the URL as its value"),
        (["--proxy", "http://x.y"], "missing URL", "cumulus [METHOD] URL"),
        (["GET", "POST", "x.y"], "there are two methods, 'GET' and 'POST'", nil),
        (["-m", "5", ":3000/"], "'5' is not a URL", "--max-time 5"),
        (["PUT:3000/x"], "a space is missing after 'PUT'", "cumulus PUT :3000/path"),
        (["-", ":3000/"], "'-' is not a URL", "@- after the URL"),
        (["--json", "{\"a\": 1}", ":3000/"], "JSON text is not a URL", "--raw TEXT"),
        (["http://[::1/"], "bracket", "[::1]:3000/path"),
        (["http://localhost:3000:/x"], "not allowed in a host name", "HOST:PORT/PATH"),
        (["x.y", "{\"a\": 1}"], "JSON text is not an item", "--raw '{"),
        (["x.y", "[1,2]"], "JSON text is not an item", "name:=1 sends a value"),
        (["x.y", "--", "-v"], "the item '-v' has no separator", "write options before --"),
        (["x.y", "-"], "no separator", "@- sends standard input"),
        (["x.y", "name=Ada", "Lovelace"], "the value of 'name=' is split", "write 'name=VALUE', with quotes"),
        (["x.y", "X A:1"], "the header name 'X A' contains a space", "name=text is data"),
        (["x.y", "a:={1,2}"], "not valid JSON", "double quotes"),
        (["x.y", "a:=1.2.3"], "not valid JSON", "write a=text"),
        (["--pages", "all", "-o", "f", "x.y"], "--pages prints items only", "write > FILE"),
        (["upload", "a", "b", ":3000/"], "an upload sends one file, but 'b' follows it", "cumulus -f URL"),
        (["version"], "missing URL: the only word is 'version'", "cumulus --version"),
        (["purge", ":3000/"], "unknown method or command 'purge'", "in capitals: cumulus PURGE URL"),
        (["-A", "bearer", "tok", "localhost:3000/x"], "a word before the URL is not a method", "-A bearer -a TOKEN"),
        (["purge", "a=1"], "unknown method or command 'purge'", "add a slash: purge/"),
        (["put", "x.y", "big.bin"], "no separator", "@FILE is a body"),
        (["-i", "list", "x.y"], "unknown option '-i'", "cumulus download -i LIST"),
        (["-q", "-w", "%{size_download}", "x.y"], "size_download", "size_received"),
        (["download", "x.y", "Range:bytes=0-1"], "requests ranges automatically", "-o FILE"),
    ]

    @Test(arguments: mistakes)
    func mistakesGetAReasonAndAHint(arguments: [String], reason: String, hint: String?) {
        let found = mistake(arguments)
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
        #expect(found?.reason.contains("\n") == false)
        if let hint { #expect(found?.hint?.contains(hint) == true, "\(String(describing: found))") }
    }

    @Test(arguments: [
        ["-a", "ada:hunter2", "htp://x"], ["-A", "bearer", "-a", "hunter2 x", "x.y"], ["x.y", "secret:=hunter2"],
        ["x.y", "{\"p\":\"hunter2\"}"], ["{\"p\":\"hunter2\"}", ":3000/"], ["-a", "http://hunter2/"],
        ["--base", "ada:hunter2@x y", "z"], ["x.y", "Authorization:Bearer", "hunter2"],
        ["x.y", "Authorization:", "hunter2"], ["x.y", "X-Api-Key:", "HUNTER2"], ["x.y", "password=", "hunter2"],
        ["x.y", "password", "=", "hunter2"], ["x.y", "-a", "ada", "hunter2"], ["x.y", "-a", "ada", "HUNTER2"],
        ["-a", "ada:s3", "hunter2", "x.y"], ["-a", "ada:s3", "hunter2", ":3000/"], ["-a", "ada:s3", "hunter", "x.y"],
        ["-A", "bearer", "-a", "abc", "hunter2", ":3000/"], ["-A", "bearer", "hunter2", ":3000/"],
        ["Authorization:", "Bearer", "hunter2", "x.y"], ["download", "x.y", "-a", "ada", "hunter2"],
        ["download", "-a", "ada:my", "hunter2", ":3000/"], ["--cert-pass", "my", "hunter2", ":3000/"],
        ["--proxy-user", "ada:my", "hunter", ":3000/"], ["x.y", "X-Foo:Bearer", "hunter2"],
        ["x.y", "X-Foo:", "hunter2"], ["x.y", "X-Foo", ":", "hunter2"],
        ["edit", "x.y", "-a", "ada", "hunter2"], ["events", "x.y", "-a", "ada", "hunter2"],
    ])
    func `no mistake shows a secret`(arguments: [String]) {
        #expect("\(String(describing: mistake(arguments)))".lowercased().contains("hunter") == false)
        #expect(mistake(arguments) != nil)
    }

    @Test(arguments: [
        ["-a", ":5/abcdef", ":3000/"], ["-ooutput", "x.y"], ["-outils.json", "x.y"], ["-aruth", "x.y"],
        ["GET", "backend", "http://x.y/"], ["ada@backend", ":3000/"], ["http://localhost/user:1234"],
        ["localhost/user:1234?q=1"], ["x.y", "?x:=\"a\""], ["x.y", "sid=1", "Cookie:"],
        ["-a", "env:\\PASSWORD", "x.y"], ["x.y", "\u{2013} report.pdf=1"], ["-o=out", "x.y"],
    ])
    func unusualLinesAreAccepted(arguments: [String]) {
        #expect(mistake(arguments) == nil)
    }

    @Test func helpNamesTheItemsAndOptions() throws {
        guard case .text(let help) = try Invocation.parse(["--help"], in: .of()) else {
            Issue.record("--help asks for something else than a text")
            return
        }
        #expect(help.contains("cumulus [METHOD] URL [URL ...] [ITEM ...]"))
        for option in ["--form", "--auth", "--headers", "--offline", "--verify", "help TOPIC"] {
            #expect(help.contains(option))
        }
        // One screen.
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 45)
    }

    @Test func theVersionIsTold() throws {
        guard case .text(let text) = try Invocation.parse(["--version"], in: .of()) else {
            Issue.record("--version asks for something else than a text")
            return
        }
        #expect(text.hasPrefix("cumulus "))
    }

    @Test(arguments: CommandStatus.allCases)
    func eachExitCodeIsExplained(status: CommandStatus) throws {
        guard case .text(let text) = try Invocation.parse(["--explain-exit", "\(status.rawValue)"], in: .of()) else {
            Issue.record("--explain-exit asks for something else than a text")
            return
        }
        #expect(text == "\(status.rawValue): \(status.meaning)")
    }
}
