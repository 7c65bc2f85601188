internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// `SignificantChange1` and `Visits1` of a session.
enum WatchInterfaces {
    static func significantChange1(_ session: Session, _ watches: WatchService) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.significantChange1)
        interface.method("Start") { call, reader throws(BusError) in
            let options = try OptionDictionary(reading: &reader)
            let isKept = try options.bool("Persistent") ?? true
            guard try options.bool("Wake") != true else {
                throw BusError(.notSupported, "the option 'Wake': this service does not wake clients")
            }
            SessionObject.permitted(session, call) { () throws(BusError) in
                try watches.start(
                    .significantChange, session, isKept: isKept, distance: session.significantDistance,
                    intervalSeconds: session.significantInterval, known: session.lastKnown(0))
                session.link.changed(LocateMeInterfaces.significantChange1, ["Running"])
                call.reply()
            }
        }
        interface.method("Stop") { call, _ in
            watches.stop(.significantChange, session)
            session.link.changed(LocateMeInterfaces.significantChange1, ["Running"])
            call.reply()
        }
        interface.property(
            "Distance", get: { _, writer throws(BusError) in try writer.append(session.significantDistance) },
            set: { _, reader throws(BusError) in
                let metres = try reader.readDouble()
                guard metres.isFinite, metres >= SignificantChangeDetector.distance else {
                    throw BusError(
                        .invalidArgs, "Distance is metres, at least \(Int(SignificantChangeDetector.distance))")
                }
                session.significantDistance = metres
                try update(session, watches)
            })
        interface.property(
            "MinimumInterval", get: { _, writer throws(BusError) in try writer.append(session.significantInterval) },
            set: { _, reader throws(BusError) in
                session.significantInterval = try reader.readUInt32()
                try update(session, watches)
            })
        interface.property("Running") { _ in .bool(watches.watch(.significantChange, of: session) != nil) }
        return interface
    }

    static func visits1(_ session: Session, _ watches: WatchService) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.visits1)
        interface.method("Start") { call, _ in
            SessionObject.permitted(session, call) { () throws(BusError) in
                guard session.grant.accuracy == .full else {
                    throw BusError(.denied, "visits need the permission to know exact places")
                }
                try watches.start(.visit, session, isKept: true, known: nil)
                call.reply()
            }
        }
        interface.method("Stop") { call, _ in
            watches.stop(.visit, session)
            call.reply()
        }
        return interface
    }

    /// Puts changed settings in force for a watch that runs.
    private static func update(_ session: Session, _ watches: WatchService) throws(BusError) {
        session.link.changed(LocateMeInterfaces.significantChange1, ["Distance", "MinimumInterval"])
        guard let watch = watches.watch(.significantChange, of: session) else { return }
        try watches.start(
            .significantChange, session, isKept: watch.isKept, distance: session.significantDistance,
            intervalSeconds: session.significantInterval, known: nil)
    }
}
