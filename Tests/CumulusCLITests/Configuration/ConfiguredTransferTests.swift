// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

/// Options of configuration files that only some commands have, and mistakes that are found late.
@Suite struct ConfiguredTransferTests {
    private func surroundings(_ configuration: String) -> Surroundings {
        var surroundings = Surroundings.of(environment: ["HOME": "/home/ada"])
        surroundings.readConfiguration = { path, _ in
            path == "/home/ada/.config/cumulus/config.toml" ? Array(configuration.utf8) : nil
        }
        return surroundings
    }

    private func download(_ configuration: String, _ arguments: String...) throws -> DownloadJob {
        let invocation = try Invocation.parse(["download"] + arguments, in: surroundings(configuration))
        guard case .download(let job) = invocation else { throw SystemProblem(description: "no download") }
        return job
    }

    private static let all = """
        [defaults]
        connections = 3
        parallel = 7
        remote-time = true
        limit-rate = "2k"
        rate = "2/s"
        minimum-rate = "1k:60"
        """

    @Test("downloads take their options from the configuration")
    func downloads() throws {
        let job = try download(Self.all, "a.test/x", "https://b.test/y")
        #expect(job.connections == 3 && job.parallel == 7 && job.setsTime)
        for request in job.requests {
            #expect(request.bandwidth?.bytesPerSecond == 2_048 && request.rateLimit == .requests(2, per: .seconds(1)))
            #expect(request.minimumRate == MinimumRate(bytesPerSecond: 1_024, over: .seconds(60)))
        }
        #expect(job.requests[0].bandwidth === job.requests[1].bandwidth)
    }

    @Test("the command line takes precedence, and so does the block of a host")
    func precedence() throws {
        let job = try download(Self.all, "-x", "2", "--parallel=1", "--limit-rate=1k", "--rate=5/m", "a.test/x")
        #expect(job.connections == 2 && job.parallel == 1 && job.requests[0].bandwidth?.bytesPerSecond == 1_024)
        #expect(job.requests[0].rateLimit == .requests(5, per: .seconds(60)))
        let hosts = try download(Self.all + "\n[hosts.\"b.test\"]\nlimit-rate = \"3k\"", "a.test/x", "https://b.test/y")
        #expect(hosts.requests.map { $0.bandwidth?.bytesPerSecond } == [2_048, 3_072])
    }

    @Test("uploads take the rates, and other requests ignore them")
    func others() throws {
        guard case .upload(let upload) = try Invocation.parse(["upload", "f", "a.test"], in: surroundings(Self.all))
        else { throw SystemProblem(description: "no upload") }
        #expect(upload.request.bandwidth?.bytesPerSecond == 2_048 && upload.request.rateLimit != nil)
        let request = try plan(["a.test"], in: surroundings(Self.all))
        #expect(request.bandwidth == nil && request.rateLimit == nil && request.minimumRate == nil)
    }

    @Test(
        "a mistake is reported with its place",
        arguments: [
            ("connections = 17", "connections takes a number from 1 to 16"), ("parallel = 0", "from 1 to 64"),
            ("limit-rate = \"fast\"", "--limit-rate takes bytes per second"), ("rate = \"2\"", "--rate takes a number"),
            ("minimum-rate = \"\"", "--minimum-rate takes bytes per second"), ("limit-rate = 5", "takes a string"),
        ]
    )
    func mistakes(line: String, reason: String) {
        let found = mistake(["download", "a.test/x"], in: surroundings("[defaults]\n\n\(line)\n"))
        #expect(found?.reason.contains("config.toml, line 3: ") == true, "\(String(describing: found))")
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
    }

    @Test("a user without a password is a mistake with its place, if nobody can be asked")
    func lonelyUser() async {
        let memory = MemoryConsole(password: nil)
        var console = memory.console
        console.surroundings = surroundings("[hosts.\"a.test\"]\n\nauth = \"ada\"\n")
        let run = CommandRun(console, makeTransport: { _ in OfflineTransport() })
        #expect(await run.run(["http://a.test/"]) == .usage)
        #expect(memory.notes.first?.contains("config.toml, line 3: auth has no password") == true, "\(memory.notes)")
        #expect(await run.run(["-a", "bob", "http://a.test/"]) == .usage)
        #expect(memory.notes.last?.contains("usage: --auth has no password") == true, "\(memory.notes)")
    }

    @Test("a configuration's form is not a mistake where no body is printed")
    func form() throws {
        #expect(mistake(["-h", "a.test"], in: surroundings("[defaults]\nas = \"yaml\"\n")) == nil)
        #expect(mistake(["-h", "--as=csv", "a.test"], in: surroundings("[defaults]\nindent = 1\n")) != nil)
    }
}
