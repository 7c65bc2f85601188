internal import EventLoop
internal import LocateMeModel
internal import LocationEngine

/// Coarsens places for applications with reduced accuracy: one secret for each application of each user, kept over
/// restarts, so that neither many sessions nor many starts tell more than one.
final class CoarsePlaces {
    private var reducers: [ClientIdentity: ReducedAccuracy] = [:]
    private var fields: [ClientIdentity: (place: Fix, field: EarthField?)] = [:]
    /// The magnetic model's field at a place.
    var earthField: (Fix) -> EarthField? = { _ in nil }
    private let store: (any LocationStateStore)?
    private let log: Log

    /// Past it those that are kept on disk are read again when they are needed.
    private static let maximumKnown = 1024

    init(store: (any LocationStateStore)?, log: Log) {
        self.store = store
        self.log = log
    }

    /// The coarse place for a client.
    func coarsen(_ fix: Fix, for client: ClientIdentity) -> Fix {
        var reducer = reducers[client] ?? make(client)
        let coarse = reducer.coarsen(fix, now: Clock.realMicroseconds(), boot: Clock.bootMicroseconds())
        if reducers.count >= Self.maximumKnown { reducers = [:] }
        reducers[client] = reducer
        return coarse
    }

    /// The magnetic field as a client may know it, which is that of its coarse place: declination, strength and inclination
    /// together would tell the exact one.
    func context(_ context: HeadingContext, for client: ClientIdentity) -> HeadingContext {
        var coarse = context
        coarse.place = context.place.map { coarsen($0, for: client) }
        guard let place = coarse.place else {
            coarse.earthField = nil
            return coarse
        }
        if let known = fields[client], known.place.latitude == place.latitude,
            known.place.longitude == place.longitude
        {
            coarse.earthField = known.field
        } else {
            coarse.earthField = earthField(place)
            if fields.count >= Self.maximumKnown { fields = [:] }
            fields[client] = (place, coarse.earthField)
        }
        return coarse
    }

    private func make(_ client: ClientIdentity) -> ReducedAccuracy {
        var generator = SystemRandomNumberGenerator()
        var secret: (secret: UInt64, beginning: Int64) = (generator.next(), Clock.realMicroseconds())
        if let store {
            do throws(StorageFailure) {
                secret = try store.coarseSecret(for: client, ifNone: secret)
            } catch {
                log.warning("the secret of coarse places is not kept: \(error)")
            }
        }
        return ReducedAccuracy(secret: secret.secret, beginning: secret.beginning)
    }
}
