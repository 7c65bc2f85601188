internal import EventLoop
internal import Geomagnetism
internal import LocateMeModel

/// The magnetic model at the present place. Asks for a place while true headings are wanted: one fix at first, then
/// one every ten minutes, in which nobody gets far enough to notice.
final class DeclinationService {
    let model: MagneticModel
    private(set) var context = HeadingContext()
    private let places: LocationService
    private let headings: HeadingService
    private let log: Log
    private var timer: LoopTimer?
    private var isWanted = false
    private var fixArrival: Int64?
    /// A place that waits for the clock to be set: a configured one comes but once.
    private var waiting: Fix?
    private var clockTimer: LoopTimer?
    private let realMicroseconds: () -> Int64

    private static let refreshMicroseconds: Int64 = 600_000_000
    /// Metres that do not matter for the declination: at 60° of latitude it changes by about 1° in 100 km.
    private static let accuracyMetres = 20_000.0
    /// A clock that is further before the model's years than this was never set: no declination of such a date is worth stating.
    private static let clockYears = 1.0
    /// How often an unset clock is looked at.
    private static let clockMicroseconds: Int64 = 5_000_000

    init(
        model: MagneticModel, places: LocationService, headings: HeadingService, loop: EventLoop, log: Log,
        realMicroseconds: @escaping () -> Int64 = Clock.realMicroseconds
    ) {
        self.realMicroseconds = realMicroseconds
        self.model = model
        self.places = places
        self.headings = headings
        self.log = log
        context.model = model.displayName
        timer = loop.makeTimer { [weak self] in self?.updateNeed() }
        clockTimer = loop.makeTimer { [weak self] in self?.lookAtClock() }
        if let known = places.current { take(known) }
    }

    /// True if today lies outside of the model's years.
    var isExpired: Bool {
        guard let year else { return true }
        return !model.validity(year: year).isValid
    }

    /// True if the clock says a date from before the model was made: machines without a battery start in 1970.
    var isClockUnset: Bool {
        guard let year else { return true }
        guard case .notYetValid(let years) = model.validity(year: year) else { return false }
        return years > Self.clockYears
    }

    /// Degrees, east positive, to use in place of the model's; NaN: the model's.
    func setOverride(_ degrees: Double) {
        context.declinationOverride = degrees
        tellSource()
    }

    /// Says whether anybody wants true headings.
    func setWanted(_ wanted: Bool) {
        guard wanted != isWanted else { return }
        isWanted = wanted
        updateNeed()
    }

    /// Takes the place of now.
    func take(_ fix: Fix) {
        guard fix.horizontalAccuracy <= Self.accuracyMetres else { return }
        guard let year, !isClockUnset else { return wait(with: fix) }
        waiting = nil
        do throws(GeomagnetismError) {
            let field = try self.field(at: fix, year)
            context.earthField = field
            context.place = fix
            headings.setEarthField(field)
            tellSource()
        } catch {
            log.warning("no declination is known here, true headings stay unknown: \(error)")
        }
        fixArrival = Clock.bootMicroseconds()
        updateNeed()
    }

    /// The model's field at a place, nil where or when it has none.
    func field(at fix: Fix) -> EarthField? {
        guard let year, !isClockUnset else { return nil }
        return try? field(at: fix, year)
    }

    private func field(at fix: Fix, _ year: Double) throws(GeomagnetismError) -> EarthField {
        try model.earthField(
            latitude: fix.latitude, longitude: fix.longitude, height: fix.heightForModels, year: year)
    }

    /// For sources that send true headings.
    private func tellSource() { headings.source.setDeclination(context.field?.declination ?? .nan) }

    /// The decimal year now; nil if the clock is beyond all dates.
    private var year: Double? { try? DecimalYear(realMicroseconds: realMicroseconds()).value }

    /// Keeps a place until the clock is set; says so once.
    private func wait(with fix: Fix) {
        if waiting == nil {
            let date = year.map { "says \(Int($0)), before \(model.displayName) was made" } ?? "says no date"
            log.warning("no declination is known, true headings stay unknown: the clock \(date); set it")
        }
        waiting = fix
        clockTimer?.arm(afterMicroseconds: Self.clockMicroseconds)
    }

    /// Uses the place that waits, if the clock has been set meanwhile.
    func lookAtClock() {
        if let waiting { take(waiting) }
    }

    private func updateNeed() {
        let age = fixArrival.map { Clock.bootMicroseconds() - $0 }
        let isDue = isWanted && (age.map { $0 >= Self.refreshMicroseconds } ?? true)
        places.setNeed(self, isDue)
        if isWanted, !isDue, let age {
            timer?.arm(afterMicroseconds: Self.refreshMicroseconds - age)
        } else {
            timer?.disarm()
        }
    }
}
