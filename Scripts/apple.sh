#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the macOS workflow does, by steps. Not run on a Mac yet; Scripts/lint-workflows.py runs it with stand-ins.
#   Scripts/apple.sh versions     the compiler and the simulators
#   Scripts/apple.sh package      builds the package, tests it, takes the tour
#   Scripts/apple.sh swiftbuild   builds it by Xcode's build system
#   Scripts/apple.sh platforms    builds the libraries for devices of every kind
#   Scripts/apple.sh simulators   tests the URLSession transport in an iOS simulator
#   Scripts/apple.sh client       archives an app, and checks its size and its privacy manifests
set -euo pipefail
cd "$(dirname "$0")/.."

derived=${DERIVED_DATA:-.build/xcode}
# An app with Cumulus and one screen; what it is without Cumulus is about 200 KB of that.
largest_app_kilobytes=12000
libraries=(Cumulus CumulusURLSession CumulusNIO CumulusCodings CumulusXML CumulusServices CumulusOAuth CumulusAWS
    CumulusSignatures CumulusCache CumulusUploads CumulusBackground CumulusTelemetry CumulusYAML CumulusCatalogs
    CumulusTesting)

versions() {
    swift --version
    xcodebuild -version
    xcrun simctl list runtimes
}

package() {
    CUMULUS_STRICT=1 swift build --build-tests
    CUMULUS_STRICT=1 swift test --skip-build
    CUMULUS_STRICT=1 swift run --skip-build tour
}

# It makes a folder for each product, on a disk that may not distinguish `Cumulus` from `cumulus`.
swiftbuild() { swift build --build-system swiftbuild --scratch-path .build/swiftbuild; }

platforms() {
    local library platform
    for library in "${libraries[@]}"; do
        for platform in iOS tvOS watchOS visionOS 'macOS,variant=Mac Catalyst'; do
            printf '== %s for %s\n' "$library" "$platform"
            xcodebuild build -quiet -scheme "$library" -destination "generic/platform=$platform" \
                -derivedDataPath "$derived" CODE_SIGNING_ALLOWED=NO
        done
    done
}

simulators() {
    # The manifest then has only what runs on a device.
    CUMULUS_DEVICE=1 xcodebuild test -quiet -scheme cumulus-Package -derivedDataPath "$derived" \
        -destination 'platform=iOS Simulator,name=iPhone 17' \
        -only-testing:CumulusURLSessionTests -only-testing:CumulusTests -parallel-testing-enabled NO
}

client() {
    local archive=$derived/AppleClient.xcarchive app size manifests
    rm -rf "$archive"
    xcodebuild archive -quiet -project Examples/AppleClient/AppleClient.xcodeproj -scheme AppleClient \
        -destination generic/platform=iOS -archivePath "$archive" -derivedDataPath "$derived" CODE_SIGNING_ALLOWED=NO
    app=$archive/Products/Applications/AppleClient.app
    size=$(du -sk "$app" | cut -f1)
    manifests=$(find "$app" -name PrivacyInfo.xcprivacy | wc -l | tr -d ' ')
    printf 'The app has %s KB and %s privacy manifests.\n' "$size" "$manifests"
    if [ "$size" -gt "$largest_app_kilobytes" ]; then
        echo "it may have $largest_app_kilobytes KB" >&2
        return 1
    fi
    # One of each module that uses what Apple wants a reason for.
    if [ "$manifests" -lt 3 ]; then
        echo 'the privacy manifests of CumulusPrimitives, CumulusCore and CumulusURLSession must be there' >&2
        return 1
    fi
}

case ${1-} in
    versions | package | swiftbuild | platforms | simulators | client) "$1" ;;
    *)
        echo "usage: $0 versions | package | swiftbuild | platforms | simulators | client" >&2
        exit 64
        ;;
esac
