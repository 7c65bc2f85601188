public import EventLoop
internal import Glibc
public import LocateMeModel

/// A place that somebody configured: the file `/etc/geolocation` or given numbers. It delivers one fix, flagged `.fixed`,
/// on start and after each change.
public final class StaticPlaceSource: PlaceSource {
    /// Where GeoClue's static source looks too.
    public static let defaultPath = "/etc/geolocation"
    /// Metres: what a place typed by hand is good for when nobody says better, the size of a small town.
    public static let defaultAccuracy = 1000.0

    private enum Origin {
        case file(String)
        case values(Fix)
    }

    /// Who hears of the fix.
    public weak var placeListener: (any PlaceSourceListener)?
    /// Why there is no place, in a sentence that names the file; nil if there is one, or no file.
    public private(set) var problem: String?

    private let origin: Origin
    private var delivery: LoopTimer?
    private var state = SourceState.off
    private var isStarted = false
    private var place: Fix?

    /// A place from a file in the format of `/etc/geolocation`. A file that does not exist is no fault: the source is then
    /// off until `reload()` finds one.
    public convenience init(loop: EventLoop, path: String = defaultPath) {
        self.init(loop: loop, origin: .file(path))
    }

    /// A given place. Degrees, metres above mean sea level (nil unknown), radius in metres that holds it with 68 %. The
    /// numbers are checked by whoever validates fixes.
    public convenience init(
        loop: EventLoop, latitude: Double, longitude: Double, altitude: Double? = nil,
        accuracy: Double = defaultAccuracy
    ) {
        var fix = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: latitude, longitude: longitude,
            horizontalAccuracy: accuracy)
        fix.altitude = altitude ?? .nan
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = altitude == nil ? -1 : 0
        self.init(loop: loop, origin: .values(fix))
    }

    private init(loop: EventLoop, origin: Origin) {
        self.origin = origin
        delivery = loop.makeTimer { [weak self] in self?.deliver() }
    }

    deinit { delivery?.disarm() }

    /// `static`.
    public var placeState: SourceDescription { SourceDescription(id: "static", kind: "static", state: state) }

    /// Reads the place and delivers it in the loop's next round.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        load()
    }

    /// Delivers nothing more.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        delivery?.disarm()
        change(to: .off)
    }

    /// Reads the file again, as after SIGHUP, and delivers the place; or says that there is none any more.
    public func reload() {
        if isStarted { load() }
    }

    // MARK: - Private

    private func load() {
        let hadPlace = place != nil
        place = nil
        problem = nil
        switch origin {
        case .values(let fix): place = fix
        case .file(let path): read(path)
        }
        if place != nil {
            change(to: .starting)
            delivery?.arm(afterMicroseconds: 0)
        } else {
            delivery?.disarm()
            change(to: problem == nil ? .off : .failed)
            if hadPlace { placeListener?.placeSourceHasNoFix(self) }
        }
    }

    private func read(_ path: String) {
        do throws(Errno) {
            let text = try TextFile.read(path, limit: StaticPlaceFile.maximumSize)
            do throws(StaticPlaceFile.Failure) {
                place = Self.fix(try StaticPlaceFile(parsing: text))
            } catch {
                problem = "\(path): \(error)"
            }
        } catch {
            if error.rawValue == EACCES {
                problem = "\(path): cannot be read: \(error); it may belong to another location service's user"
            } else if error.rawValue != ENOENT {
                problem = "\(path): cannot be read: \(error)"
            }
        }
    }

    private static func fix(_ file: StaticPlaceFile) -> Fix {
        var fix = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: file.latitude, longitude: file.longitude,
            horizontalAccuracy: file.accuracy)
        fix.altitude = file.altitude
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = file.accuracy
        return fix
    }

    private func deliver() {
        guard isStarted, var fix = place else { return }
        fix.realMicroseconds = Clock.realMicroseconds()
        fix.bootMicroseconds = Clock.bootMicroseconds()
        fix.flags = .fixed
        fix.source = "static"
        change(to: .ok)
        placeListener?.placeSource(self, delivered: fix)
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        placeListener?.placeSourceChanged(self)
    }
}
