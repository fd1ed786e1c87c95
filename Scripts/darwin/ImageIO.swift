// SPDX-License-Identifier: Apache-2.0

// Stands in for Image I/O and the types of Core Foundation: <ImageIO/CGImageSource.h>.

public import CoreGraphics
public import Foundation

public final class CFData {
    public init(_ data: Data) {}
}
public final class CFDictionary {}
public final class CGImageSource {}
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceCreateImageAtIndex(_ s: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? { nil }
