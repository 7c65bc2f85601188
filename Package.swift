// swift-tools-version: 6.2
import PackageDescription

/// One set of strict settings for every Swift target of the package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Warnings that only tests may have to live with stay warnings there.
let strictTests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What only the programs are made of: each function in a section of its own, so that the linker can put those that run
/// side by side, see `lean`, and leave out those that nobody calls. Not for what the library LocateMe needs: it could not be
/// used as a dependency then.
let ordered: [SwiftSetting] =
    strict + [
        .unsafeFlags(["-Xfrontend", "-function-sections"], .when(platforms: [.linux], configuration: .release))
    ]

/// How the programs are linked for use: what runs lies together and what does not elsewhere (scripts/order-functions
/// writes the list), relocations in a few kB, no table of names for others to link to. That is what takes 2 MB off the
/// memory of the service. The linker is the toolchain's own.
let lean: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"]
            + [
                "--no-export-dynamic", "-z", "pack-relative-relocs", "--no-warn-symbol-ordering",
                "--symbol-ordering-file=\(Context.packageDirectory)/Benchmarks/function-order",
            ].flatMap { ["-Xlinker", $0] },
        .when(platforms: [.linux], configuration: .release))
]

/// Modules that the library LocateMe is made of.
let shared: Set<String> = ["Geometry", "LocateMeModel", "EventLoop", "MessageBus", "LocateMeBusInterface", "LocateMe"]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: shared.contains(name) ? strict : ordered)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strictTests)
}

let package = Package(
    name: "locateme",
    products: [
        .executable(name: "locatemed", targets: ["locatemed"]),
        .executable(name: "headingctl", targets: ["headingctl"]),
        .library(name: "LocateMe", targets: ["LocateMe"]),
    ],
    targets: [
        // C libraries, one importer each
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CLibDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CLibIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
        .systemLibrary(name: "CLibUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CLibGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Pure core
        module("Geometry"),
        module("LocateMeModel", ["Geometry"]),
        module("Geomagnetism", ["LocateMeModel", "Geometry"]),
        module("MagnetometerCalibration", ["LocateMeModel", "Geometry"]),
        module("HeadingEstimation", ["LocateMeModel", "Geometry", "MagnetometerCalibration"]),
        .target(
            name: "CGeodesy", publicHeadersPath: "include",
            linkerSettings: [.linkedLibrary("GeographicLib"), .linkedLibrary("stdc++")]),
        module("Geodesy", ["CGeodesy"]),
        module("LocationEngine", ["LocateMeModel", "Geometry", "Geodesy"]),
        module("NMEASentences", ["LocateMeModel", "Geometry"]),
        module("DeviceOrientation", ["Geometry"]),
        module("SensorRecordings", ["LocateMeModel", "Geometry"]),
        module("CompassDiagnosis", ["LocateMeModel", "Geometry", "MagnetometerCalibration"]),
        module("Simulation", ["LocateMeModel", "Geometry", "Geomagnetism", "SensorRecordings"]),

        // Edges
        module("EventLoop", ["CLinux"]),
        module("RecordingFiles", ["CZlib", "EventLoop", "SensorRecordings", "LocateMeModel", "Geometry"]),
        module("UdevDevices", ["CLibUdev"]),
        module("IIOSensors", ["CLibIIO", "CLinux", "UdevDevices", "EventLoop", "LocateMeModel", "Geometry"]),
        module("RouteFormats", ["CLibXML", "LocateMeModel"]),
        module("PositionSources", ["CLibGPS", "EventLoop", "NMEASentences", "LocateMeModel", "Geometry"]),
        module("MarineOutput", ["CLinux", "EventLoop", "LocateMeModel"]),
        module("MessageBus", ["CLibDBus", "EventLoop", "LocateMeModel"]),
        module("LocateMeBusInterface", ["MessageBus", "LocateMeModel", "Geometry"]),
        module("SystemServices", ["MessageBus", "EventLoop", "NMEASentences", "LocateMeModel"]),
        module("Storage", ["CSQLite", "LocateMeModel", "Geometry"]),

        // Products
        module(
            "LocateMeDaemon",
            [
                "EventLoop", "MessageBus", "LocateMeBusInterface", "LocateMeModel", "Geometry", "Geomagnetism",
                "HeadingEstimation", "MagnetometerCalibration", "CompassDiagnosis", "LocationEngine",
                "DeviceOrientation", "NMEASentences", "SensorRecordings", "Simulation",
            ]),
        .executableTarget(
            name: "locatemed",
            dependencies: [
                "LocateMeDaemon", "IIOSensors", "MarineOutput", "PositionSources", "RecordingFiles",
                "SensorRecordings", "Storage",
                "SystemServices", "EventLoop", "MessageBus", "Geomagnetism", "LocateMeModel", "Geometry",
            ],
            swiftSettings: ordered, linkerSettings: lean),
        module("LocateMe", ["LocateMeModel", "Geometry", "LocateMeBusInterface", "MessageBus", "EventLoop"]),
        module(
            "HeadingControl",
            [
                "LocateMe", "LocateMeBusInterface", "MessageBus", "LocateMeModel", "Geometry", "Geomagnetism",
                "HeadingEstimation", "MagnetometerCalibration", "CompassDiagnosis", "NMEASentences", "SensorRecordings",
                "Simulation", "RecordingFiles", "IIOSensors", "MarineOutput", "LocationEngine", "RouteFormats",
                "EventLoop", "CLinux",
            ]),
        .executableTarget(
            name: "headingctl", dependencies: ["HeadingControl"], swiftSettings: strict, linkerSettings: lean),

        // Measurements: not part of what is installed
        .target(
            name: "CGeographicLib", publicHeadersPath: "include",
            linkerSettings: [.linkedLibrary("GeographicLib"), .linkedLibrary("stdc++")]),
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CAllocationCounter", "CGeographicLib", "Geomagnetism", "HeadingEstimation",
                "LocationEngine", "MagnetometerCalibration", "NMEASentences", "SensorRecordings", "RecordingFiles",
                "Simulation", "LocateMeModel", "Geometry", "EventLoop", "MessageBus", "LocateMeBusInterface",
            ],
            path: "Benchmarks", exclude: ["BusPeer", "IIOPeer", "function-order"], swiftSettings: strict),
        // The measure for the daemon's memory and processor time: a C program on libiio
        .executableTarget(name: "iio-peer", dependencies: ["CLibIIO"], path: "Benchmarks/IIOPeer"),
        // The measure for the delay of places: C programs on libdbus
        .executableTarget(name: "bus-peer", dependencies: ["CLibDBus"], path: "Benchmarks/BusPeer"),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport", swiftSettings: strictTests),
        tests("GeometryTests", ["Geometry"]),
        tests("LocateMeModelTests", ["LocateMeModel", "Geometry"]),
        tests("GeomagnetismTests", ["Geomagnetism", "LocateMeModel", "TestSupport"]),
        tests(
            "HeadingEstimationTests",
            [
                "HeadingEstimation", "MagnetometerCalibration", "LocateMeModel", "Geometry", "Simulation",
                "SensorRecordings", "RecordingFiles", "TestSupport",
            ]),
        tests(
            "MagnetometerCalibrationTests",
            [
                "MagnetometerCalibration", "LocateMeModel", "Geometry", "Simulation", "SensorRecordings",
                "RecordingFiles", "TestSupport",
            ]),
        tests(
            "SensorRecordingsTests", ["SensorRecordings", "RecordingFiles", "LocateMeModel", "Geometry", "TestSupport"]),
        tests("GeodesyTests", ["Geodesy", "TestSupport"]),
        .testTarget(
            name: "LocationEngineTests",
            dependencies: ["LocationEngine", "Geodesy", "LocateMeModel", "Geometry", "TestSupport"],
            exclude: ["Inputs"], swiftSettings: strictTests),
        tests("DeviceOrientationTests", ["DeviceOrientation", "Geometry"]),
        tests("NMEASentencesTests", ["NMEASentences", "LocationEngine", "LocateMeModel", "TestSupport"]),
        tests(
            "CompassDiagnosisTests",
            [
                "CompassDiagnosis", "HeadingEstimation", "MagnetometerCalibration", "LocateMeModel", "Geometry",
                "Simulation", "SensorRecordings", "RecordingFiles", "TestSupport",
            ]),
        tests("SimulationTests", ["Simulation", "SensorRecordings", "LocateMeModel", "Geometry", "Geomagnetism"]),
        tests("EventLoopTests", ["EventLoop", "TestSupport"]),
        .executableTarget(
            name: "iio-probe", dependencies: ["IIOSensors", "EventLoop", "LocateMeModel", "Geometry"],
            path: "Tests/IIOProbe", swiftSettings: strictTests),
        tests(
            "IIOSensorsTests",
            ["IIOSensors", "EventLoop", "LocateMeModel", "Geometry", "TestSupport", "iio-probe", "headingctl"]),
        tests(
            "PositionSourcesTests",
            ["PositionSources", "LocationEngine", "NMEASentences", "EventLoop", "LocateMeModel", "TestSupport"]),
        tests("RouteFormatsTests", ["RouteFormats", "LocateMeModel", "TestSupport"]),
        tests("MarineOutputTests", ["MarineOutput", "EventLoop", "LocateMeModel", "TestSupport"]),
        tests("MessageBusTests", ["MessageBus", "EventLoop", "LocateMeModel", "TestSupport"]),
        tests(
            "LocateMeBusInterfaceTests",
            ["LocateMeBusInterface", "MessageBus", "EventLoop", "LocateMeModel", "Geometry", "TestSupport"]),
        tests("SystemServicesTests", ["SystemServices", "MessageBus", "EventLoop", "LocateMeModel", "TestSupport"]),
        tests("StorageTests", ["Storage", "LocateMeModel", "Geometry", "TestSupport"]),
        tests(
            "LocateMeDaemonTests",
            [
                "LocateMeDaemon", "LocateMeBusInterface", "MessageBus", "EventLoop", "LocateMeModel", "LocationEngine",
                "Geometry", "HeadingEstimation", "MagnetometerCalibration", "Geomagnetism", "NMEASentences",
                "TestSupport",
            ]),
        tests(
            "LocateMeTests",
            [
                "LocateMe", "LocateMeBusInterface", "MessageBus", "EventLoop", "LocateMeModel", "Geometry",
                "TestSupport",
            ]),
        tests(
            "HeadingControlTests",
            [
                "HeadingControl", "LocateMe", "MessageBus", "LocateMeModel", "Geometry", "MagnetometerCalibration",
                "CompassDiagnosis", "NMEASentences", "SensorRecordings", "Simulation",
                "TestSupport",
            ]),
        tests(
            "EndToEndTests",
            [
                "LocateMe", "LocateMeModel", "LocateMeBusInterface", "MessageBus", "Geometry", "EventLoop", "Storage",
                "TestSupport",
            ]),
        tests("ArchitectureTests", ["TestSupport"]),
        tests("PackagingTests", ["TestSupport"]),
    ]
)
