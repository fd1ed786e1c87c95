// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// What the transport of this resource's calls can do, with what settings have put before it.
    public var transportCapabilities: TransportCapabilities { snapshot.transport.capabilities }

    /// The root of a tree of its own at another URL, for requests on behalf of this one's: for a token, for keys.
    ///
    /// It uses this tree's transport and clock, and at first this resource's time limits, proxy and allowed addresses;
    /// nothing else is inherited. So its requests get no header fields, credentials or cookies, no hooks see them, they
    /// don't wait at this tree's limits, and are none of its running calls. An authorizer makes its own requests
    /// through it: `request.resource?.separateTree(at: url)`. For requests that carry a secret, also write
    /// `redirects = .none`, `retry` and a `deadline`, which are as for any new root.
    ///
    /// - Parameter url: An absolute http or https URL, whose user and password become credentials. A URL that can't be
    ///   used makes a resource whose requests throw.
    /// - Returns: The root; write its rules before the first request.
    public func separateTree(at url: some Locator) -> Resource {
        let settings = snapshot
        let root = Resource(url, transport: settings.transport)
        root.setRules { rules in
            rules.clock = self.clock
            rules.timeout = self.timeout
            rules.connectTimeout = self.connectTimeout
            rules.poolTimeout = self.poolTimeout
            rules.proxy = settings.transport.capabilities.ignoresProxies ? .none : self.proxy
            rules.allowedAddresses = self.allowedAddresses
        }
        return root
    }
}
