// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusCodings
import CumulusNIO
import Foundation

func callsOfCurl(site: Resource, url: String, steps: CallObserver) async throws {
    var configuration = NIOTransport.Configuration()
    let partner = Origin(scheme: .https, host: "partner.example.com")
    _ = try await REST[url].get()
    _ = try await site.delete()
    _ = try await site.head()
    site.setRules { $0.headers["X-Run"] = "1" }
    _ = try await site.get(query: ["page": 2])
    _ = try await site.post(["title": "Clouds"])
    _ = try await site.post(.form(["title": "Clouds"]))
    _ = try await site.post(.file("notes.txt"))
    _ = try await site.post(.multipart(["cat": .file("cat.png")]))
    _ = try await site.put(.file("cat.png"))
    for try await event in site["feed"].events() { print(event.data) }
    site.setRules {
        $0.credentials = Credentials(user: "ada", password: "...")
        $0.authorizers.append(.digest(user: "ada", password: "..."))
        $0.authorizers.append(.bearer("..."))
        $0.authorizers.append(.aws(.environment))
    }
    let netrc = try NetrcFile(path: "/home/ada/.netrc")
    site.setRules { $0.authorizers.append(.netrc(netrc)) }
    _ = try await site.download(to: .file("/tmp/a"))
    _ = try await site.download(to: .directory("/tmp"))
    _ = try await site.download(to: .file("/tmp/a"), options: DownloadOptions(resume: true))
    _ = try await site.get(headers: [.range: "bytes=0-99"])
    site.setRules {
        $0.bandwidth = Bandwidth(bytesPerSecond: 512_000)
        $0.rateLimit = .requests(2, per: .seconds(1))
        $0.deadline = .seconds(60)
        $0.connectTimeout = .seconds(3)
        $0.retry = RetryPolicy(limit: 4)
        $0.redirects = .none
    }
    let jar = try await CookieJar(file: "cookies.txt", keepsSessionCookies: true)
    site.setRules { $0.cookies = jar }
    try await jar.save()
    let policy = try ProxyPolicy.url("http://proxy:3128")
    site.setRules { $0.proxy = policy }
    site.setRules { $0.contentCodings = [.zstd, .brotli, .gzip, .deflate] }
    configuration.tls.trustRoots = .files(["authority.pem"])
    configuration.tls.identities[partner] = try .init(certificateFile: "me.pem")
    configuration.unixSocketPath = "/var/run/docker.sock"
    configuration.addresses["api.example.com:443"] = ["10.0.0.7"]
    site.setRules {
        $0.httpVersion = .http1
        $0.httpVersion = .http2
        $0.observers.append(steps)
    }
    print(try await site.get().facts)
    try await site.get().requireSuccess()
    _ = Resource(url, transport: NIOTransport(configuration: configuration))
}
