// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

/// Chapter 14: a proxy on the way.
struct Proxies {
    let port: Int

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Proxies")
        let ada = Credentials(user: "ada", password: "lovelace")
        var configuration = LoopbackProxy.Configuration()
        configuration.credentials = ada
        guard let proxy = try? await LoopbackProxy.start(configuration) else {
            return guide.fail("The proxy did not start", TourGuide.Surprise(description: "no port"))
        }
        // The proxy looks no name up: all of them are this machine.
        let site = Resource("http://blog.invalid:\(port)")
        await guide.step(
            "A proxy, and hosts that don't need it",
            "site.proxy = try .url(\"http://ada:...@127.0.0.1:\(proxy.port)\", except: \"localhost\", \"10.0.0.0/8\")"
        ) {
            site.proxy = try .url("http://ada:lovelace@127.0.0.1:\(proxy.port)", except: "localhost", "10.0.0.0/8")
            let answer = try await site["posts/1"].get().requireSuccess()
            try promise(answer.facts.proxy?.port == proxy.port, "\(answer.facts)")
            let text = site.explain(\.proxy).value
            try promise(text == "http://127.0.0.1:\(proxy.port), except localhost,10.0.0.0/8", text)
            return "\(answer)\n\(text)"
        }
        await guide.step(
            "SOCKS, which doesn't look into requests",
            "site.proxy = try .url(\"socks5://ada:...@127.0.0.1:\(proxy.port)\")"
        ) {
            site.proxy = .by(try proxy.proxy(.socks5, credentials: ada))
            let facts = try await site["posts/1"].get().requireSuccess().facts
            try promise(proxy.record.targets == ["blog.invalid:\(port)"], "\(proxy.record.targets)")
            return "by \(facts.proxy.map { "\($0)" } ?? "-") to \(proxy.record.targets[0])"
        }
        await guide.step(
            "The proxy that the environment names, for programs that ask for it",
            "site.proxy = .environment"
        ) {
            let variables = ["http_proxy": "http://ada:lovelace@127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1"]
            site.proxy = .environment(variables)
            let facts = try await site["posts/1"].get().requireSuccess().facts
            let direct = Resource("http://127.0.0.1:\(port)")
            direct.proxy = .environment(variables)
            let excepted = try await direct["posts/1"].get().requireSuccess().facts
            try promise(facts.proxy?.port == proxy.port && excepted.proxy == nil, "\(facts) \(excepted)")
            return "by \(facts.proxy.map { "\($0)" } ?? "-"); 127.0.0.1 directly, as no_proxy says"
        }
        await guide.step("A refusal names the proxy", "site.proxy = try .url(\"127.0.0.1:\(proxy.port)\")") {
            site.proxy = .by(try proxy.proxy())
            let error = try await failure { try await site["posts/1"].get() }
            try promise(error.code == .proxy, "\(error)")
            return error.message
        }
        proxy.shutdown()
        await guardAddresses(&guide)
    }

    private func guardAddresses(_ guide: inout TourGuide) async {
        await guide.step(
            "A stranger's URL, which leads into your own network",
            "stranger.allowedAddresses = .publicOnly\ntry await stranger.get()"
        ) {
            let stranger = Resource("http://localhost:\(port)/posts/1")
            stranger.allowedAddresses = .publicOnly
            let error = try await failure { try await stranger.get() }
            try promise(error.code == .addressRefused, "\(error)")
            stranger.allowedAddresses = try .publicOnly(allowing: "127.0.0.0/8", "::1")
            return "\(error)\nwith exceptions: \(try await stranger.get().requireSuccess())"
        }
    }
}
