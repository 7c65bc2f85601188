internal import DeviceOrientation

/// What `net.hadess.SensorProxy` and its compass tell at one moment.
struct SensorProxyValues: Hashable {
    var hasAccelerometer = false
    var orientation = ScreenOrientation.undefined
    var tilt = ScreenTilt.undefined
    var hasLight = false
    var lightIsLux = true
    var lightLevel = 0.0
    var hasProximity = false
    var isNear = false
    var hasCompass = false
    /// Degrees in steps of 0.1, −1 without a valid heading.
    var heading = -1.0

    /// Names of the properties of one kind that differ.
    func changes(to other: Self, of kind: SensorProxyKind) -> [String] {
        var names: [String] = []
        switch kind {
        case .accelerometer:
            if other.hasAccelerometer != hasAccelerometer { names.append("HasAccelerometer") }
            if other.orientation != orientation { names.append("AccelerometerOrientation") }
            if other.tilt != tilt { names.append("AccelerometerTilt") }
        case .light:
            if other.hasLight != hasLight { names.append("HasAmbientLight") }
            if other.lightIsLux != lightIsLux { names.append("LightLevelUnit") }
            if other.lightLevel != lightLevel { names.append("LightLevel") }
        case .proximity:
            if other.hasProximity != hasProximity { names.append("HasProximity") }
            if other.isNear != isNear { names.append("ProximityNear") }
        case .compass:
            if other.hasCompass != hasCompass { names.append("HasCompass") }
            if other.heading != heading { names.append("CompassHeading") }
        }
        return names
    }

    /// Names of the properties of one kind that hold readings.
    static func readings(of kind: SensorProxyKind) -> [String] {
        switch kind {
        case .accelerometer: ["AccelerometerOrientation", "AccelerometerTilt"]
        case .light: ["LightLevelUnit", "LightLevel"]
        case .proximity: ["ProximityNear"]
        case .compass: ["CompassHeading"]
        }
    }

    /// Takes over the values of one kind.
    mutating func take(_ other: Self, of kind: SensorProxyKind) {
        switch kind {
        case .accelerometer:
            hasAccelerometer = other.hasAccelerometer
            orientation = other.orientation
            tilt = other.tilt
        case .light:
            hasLight = other.hasLight
            lightIsLux = other.lightIsLux
            lightLevel = other.lightLevel
        case .proximity:
            hasProximity = other.hasProximity
            isNear = other.isNear
        case .compass:
            hasCompass = other.hasCompass
            heading = other.heading
        }
    }

    /// True if there is a sensor of that kind.
    func has(_ kind: SensorProxyKind) -> Bool {
        switch kind {
        case .accelerometer: hasAccelerometer
        case .light: hasLight
        case .proximity: hasProximity
        case .compass: hasCompass
        }
    }
}
