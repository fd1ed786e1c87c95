// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The capabilities of the transport for this resource's calls, including any transports that settings have put in
    /// front of it.
    public var transportCapabilities: TransportCapabilities { snapshot.transport.capabilities }

    /// Returns the root of a separate tree at a different URL, for requests on which this tree's requests depend, such
    /// as requests for tokens or keys.
    ///
    /// The new root uses this tree's transport and clock. It starts with this resource's time limits, proxy and allowed
    /// addresses. It inherits nothing else: its requests receive no header fields, credentials or cookies, no hooks see
    /// them, this tree's limits don't apply to them, and they aren't listed as its running calls. An authorizer makes
    /// its own requests through it: `request.resource?.separateTree(at: url)`. For requests that carry a secret, also
    /// set `redirects = .none`, `retry` and a `deadline`, which have the defaults of any new root.
    ///
    /// - Parameter url: An absolute http or https URL, whose user and password become credentials. If the URL can't be
    ///   used, the resource's requests throw.
    /// - Returns: The root; set its rules before the first request.
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
