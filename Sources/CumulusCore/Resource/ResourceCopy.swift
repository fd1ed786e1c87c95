// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The identity of a copy that `with` made, which all values made from it have.
final class ResourceCopy: Sendable {
    private let source: SettingSource
    /// The line that tried to write rules through this copy.
    private let attempt = Mutex<SettingSource?>(nil)

    init(source: SettingSource) { self.source = source }

    /// Refuses rules that would apply to every user of the tree, not only to this copy's.
    func refuseRules(at attempt: SettingSource) { self.attempt.withLock { $0 = $0 ?? attempt } }

    /// The reason why requests of this copy fail; `nil` if they don't.
    var refusal: String? {
        attempt.withLock(\.self).map {
            "`setRules` at \($0) was called on a copy that `with` at \(source) made: rules apply to every user of the "
                + "tree; write them on the resource that was copied, or use `with`"
        }
    }
}

extension ResourceNode {
    /// The nearest copy that this node belongs to; `nil` if it was not made from a copy.
    var copy: ResourceCopy? { nearestCopy { _ in true } }

    /// The nearest copy whose settings determine the user.
    var userCopy: ResourceCopy? { nearestCopy(where: \.determinesUser) }

    /// Whether the node was made from a copy, or is a place of that copy itself.
    func isMade(from copy: ResourceCopy) -> Bool {
        var nearest: ResourceNode? = self
        while let node = nearest {
            if node.overrides?.layers.contains(where: { $0.copy === copy }) == true { return true }
            nearest = node.inheritance.source
        }
        return false
    }

    /// Checks that no rules were written through the copies that the node was made from.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/invalidRequest``.
    func checkRules() throws {
        guard let overrides else { return }
        for case let copy? in overrides.layers.lazy.map(\.copy) {
            if let refusal = copy.refusal { throw CumulusError(.invalidRequest, stage: .preflight, refusal) }
        }
    }

    private func nearestCopy(where matches: (SettingsLayer) -> Bool) -> ResourceCopy? {
        var nearest: ResourceNode? = self
        while let node = nearest {
            for layer in node.overrides?.layers.reversed() ?? [] {
                if let copy = layer.copy, matches(layer.settings) { return copy }
            }
            nearest = node.inheritance.source
        }
        return nil
    }
}

extension SettingsLayer {
    /// Whether it contains a setting by which a server or a store distinguishes users.
    fileprivate var determinesUser: Bool {
        if own(AuthorizersKey.self) != nil || own(CookiesKey.self) != nil || own(TransportKey.self) != nil
            || own(InterceptorsKey.self) != nil
        {
            return true
        }
        return own(HeadersKey.self).map { !NeutralHeaders().others(of: $0).isEmpty } ?? false
    }
}
