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

    private static let refreshMicroseconds: Int64 = 600_000_000
    /// Metres that do not matter for the declination: at 60° of latitude it changes by about 1° in 100 km.
    private static let accuracyMetres = 20_000.0
    /// A clock that is further before the model's years than this was never set: no declination of such a date is worth stating.
    private static let clockYears = 1.0

    init(model: MagneticModel, places: LocationService, headings: HeadingService, loop: EventLoop, log: Log) {
        self.model = model
        self.places = places
        self.headings = headings
        self.log = log
        context.model = model.displayName
        timer = loop.makeTimer { [weak self] in self?.updateNeed() }
        if let known = places.current { take(known) }
    }

    /// True if today lies outside of the model's years.
    var isExpired: Bool {
        guard let year = Self.year else { return true }
        return !model.validity(year: year).isValid
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
        guard fix.horizontalAccuracy <= Self.accuracyMetres, let year = Self.year else { return }
        if case .notYetValid(let years) = model.validity(year: year), years > Self.clockYears {
            log.warning(
                "no declination is known, true headings stay unknown: the clock says \(Int(year)), before \(model.displayName) was made; set it"
            )
            return
        }
        do throws(GeomagnetismError) {
            let field = try model.earthField(
                latitude: fix.latitude, longitude: fix.longitude, height: fix.heightForModels, year: year)
            context.earthField = field
            headings.setEarthField(field)
            tellSource()
        } catch {
            log.warning("no declination is known here, true headings stay unknown: \(error)")
        }
        fixArrival = Clock.bootMicroseconds()
        updateNeed()
    }

    /// For sources that send true headings.
    private func tellSource() { headings.source.setDeclination(context.field?.declination ?? .nan) }

    private static var year: Double? {
        try? DecimalYear(unixSeconds: Double(Clock.realMicroseconds()) * 1e-6).value
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
