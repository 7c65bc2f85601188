internal import Geometry

import func Glibc.atan2

extension Walk {
    /// The walks that can be asked for by name, with a word on each.
    public static let names: [(name: String, summary: String)] = [
        ("demo", "figure-eight calibration, then once around a block of 40 m"),
        ("square", "around a block of 40 m, corners rounded"),
        ("straight", "100 m north and back"),
        ("figure-eight", "two circles of 10 m radius"),
        ("stand", "standing for 60 s, facing north"),
        ("turn", "on the spot to north, east, south, west, 5 s each"),
        ("tumble", "figure-eight calibration for 20 s between two rests of 3 s"),
    ]

    /// A walk by its name; nil for a name that is not listed. All of them are closed.
    public init?(name: String) {
        let block: [Leg] = [
            .walk(east: 0, north: 40), .walk(east: 40, north: 40), .walk(east: 40, north: 0), .walk(east: 0, north: 0),
        ]
        let tumble: [Leg] = [.stand(seconds: 3), .tumble(seconds: 20), .stand(seconds: 3)]
        switch name {
        case "demo": self.init(tumble + block)
        case "square": self.init([.stand(seconds: 3)] + block)
        case "straight": self.init([.stand(seconds: 3), .walk(east: 0, north: 100), .walk(east: 0, north: 0)])
        case "figure-eight":
            self.init([
                .stand(seconds: 3), .circle(radius: 10, toRight: true), .circle(radius: 10, toRight: false),
            ])
        case "stand": self.init([.stand(seconds: 60)])
        case "turn": self.init([0, 90, 180, 270].flatMap { [.face(degrees: $0), .stand(seconds: 5)] })
        case "tumble": self.init(tumble)
        default: return nil
        }
        self = closed
    }

    /// A walk over places in degrees of latitude and longitude, after standing for 3 s at the first, facing the second.
    /// Nil for fewer than two, for one that is no place, if the first is within 0.1° of a pole, and for one that is more
    /// than 100 km from the first.
    public init?(places: [(latitude: Double, longitude: Double)]) {
        guard places.count >= 2, let first = places.first, abs(first.latitude) <= 89.9,
            places.allSatisfy({ abs($0.latitude) <= 90 && abs($0.longitude) <= 360 })
        else { return nil }
        let plane = LocalPlane(latitude: first.latitude, longitude: first.longitude, altitude: 0)
        let points = places.dropFirst().map { plane.meters(latitude: $0.latitude, longitude: $0.longitude) }
        guard points.allSatisfy({ abs($0.east) <= 100_000 && abs($0.north) <= 100_000 }) else { return nil }
        self.init([.stand(seconds: 3)] + points.map { .walk(east: $0.east, north: $0.north) })
        latitude = first.latitude
        longitude = first.longitude
        if let second = points.first {
            startHeading = Angle.wrap360(atan2(second.east, second.north) * Angle.degreesPerRadian)
        }
    }

    /// A name of `names`, or places written as `LAT,LON LAT,LON …`. Nil for anything else.
    public init?(text: String) {
        if let walk = Walk(name: text) {
            self = walk
            return
        }
        var places: [(latitude: Double, longitude: Double)] = []
        for word in text.split(separator: " ") {
            let numbers = word.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
            places.append((latitude, longitude))
        }
        self.init(places: places)
    }
}
