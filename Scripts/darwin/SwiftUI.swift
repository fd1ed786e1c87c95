// SPDX-License-Identifier: Apache-2.0

// Stands in for SwiftUI: the views and modifiers of our examples, with the labels and isolation of Apple's.

public import Foundation
public import UIKit

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { preconditionFailure() }
}

public protocol StandInView: View where Body == Never {}

extension StandInView {
    public var body: Never { preconditionFailure() }
}

@resultBuilder @MainActor public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> EmptyView { EmptyView() }
    public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { Either() }
    public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> { Either() }
}

public struct Either<First: View, Second: View>: StandInView {}

extension Optional: View where Wrapped: View {
    public var body: Never { preconditionFailure() }
}

public struct EmptyView: StandInView { public nonisolated init() {} }

public struct Text: StandInView {
    public init<Content: StringProtocol>(_ content: Content) {}
}

public struct ProgressView: StandInView {
    public init() {}
    public init(value: Double?, total: Double = 1) {}
}

public struct Button<Label: View>: StandInView {
    public init(_ title: String, action: @escaping @MainActor () -> Void) where Label == Text {}
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

public struct TextField: StandInView {
    public init(_ title: String, text: Binding<String>) {}
}

public struct NavigationStack<Content: View>: StandInView {
    public init(@ViewBuilder root: () -> Content) {}
}

public struct List<Content: View>: StandInView {
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) {}
    public init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}
}

public enum VerticalEdge { case top, bottom }
public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let top = Alignment()
}

extension View {
    public func overlay<Content: View>(alignment: Alignment = .center, @ViewBuilder content: () -> Content) -> some View {
        EmptyView()
    }
    public func safeAreaInset<Content: View>(edge: VerticalEdge, @ViewBuilder content: () -> Content) -> some View {
        EmptyView()
    }
    public func searchable(text: Binding<String>) -> some View { EmptyView() }
    public func onSubmit(_ action: @escaping () -> Void) -> some View { EmptyView() }
    public func refreshable(action: @escaping @Sendable @MainActor () async -> Void) -> some View { EmptyView() }
    public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> some View { EmptyView() }
    public func task<ID: Equatable>(id: ID, _ action: @escaping @Sendable @MainActor () async -> Void) -> some View {
        EmptyView()
    }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { stored = wrappedValue }
    public init(initialValue: Value) { stored = initialValue }
    public var wrappedValue: Value { get { stored } nonmutating set {} }
    public var projectedValue: Binding<Value> { Binding(wrappedValue: stored) }
    private let stored: Value
}

@propertyWrapper public struct Binding<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
}

@MainActor @propertyWrapper public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
    public init(_ type: Delegate.Type = Delegate.self) {}
    public var wrappedValue: Delegate { preconditionFailure() }
}

@MainActor public protocol Scene {
    associatedtype Body: Scene
    @MainActor var body: Body { get }
}

extension Never: Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { preconditionFailure() }
}

@MainActor public protocol App {
    associatedtype Body: Scene
    @MainActor var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}
