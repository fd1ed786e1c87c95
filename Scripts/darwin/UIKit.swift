// SPDX-License-Identifier: Apache-2.0

// Stands in for UIKit: the part of an app's delegate that our examples implement. Apple's method is optional.

public import Foundation

@MainActor public final class UIApplication {}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    )
}
