internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// The bus object of one session: its interfaces over a `Session`. Only the connection that has opened the session
/// may know of it; to everybody else it is as if it were not there.
enum SessionObject {
    /// What everybody but the owner gets, for sessions that exist and for those that do not.
    static func denial(_ path: ObjectPath) -> BusError {
        BusError(
            .accessDenied, "the session '\(path)' is not yours; a session belongs to the connection that opened it")
    }

    /// The object. `known` gives the session's heading of the newest estimate, `close` ends the session.
    static func make(
        _ session: Session, watches: WatchService, known: @escaping (Session) -> Heading?,
        close: @escaping (Session) -> Void
    ) -> ExportedObject {
        let path = session.link.path
        let owner = session.link.owner.uniqueName
        return ExportedObject(
            path: path,
            parts: [
                .init(LocateMeInterfaces.session1) { session1(session, watches, close) },
                .init(LocateMeInterfaces.heading1) { heading1(session, known) },
                .init(LocateMeInterfaces.location1) { location1(session) },
                .init(LocateMeInterfaces.pose1) { pose1(session, known) },
                .init(LocateMeInterfaces.significantChange1) { WatchInterfaces.significantChange1(session, watches) },
                .init(LocateMeInterfaces.visits1) { WatchInterfaces.visits1(session, watches) },
            ]
        ) { caller throws(BusError) in
            guard caller.uniqueName == owner else { throw denial(path) }
        }
    }

    /// Throws unless the owner may know places.
    static func requirePermission(_ session: Session) throws(BusError) {
        guard session.isServiceEnabled else {
            throw BusError(.servicesDisabled, "places are switched off for everyone, see locateme.conf")
        }
        guard session.grant.isGranted else {
            throw BusError(
                .denied,
                "this user may not know the place of this machine; magnetic headings are open, see Heading1.Start")
        }
    }

    /// Goes on with a call when it is decided that the owner may know places, and fails it if not.
    static func permitted(
        _ session: Session, _ call: BusCall, _ body: @escaping () throws(BusError) -> Void
    ) {
        session.whenDecided {
            do throws(BusError) {
                try requirePermission(session)
                try body()
            } catch {
                call.fail(error)
            }
        }
    }

    // MARK: - Session1

    private static func session1(
        _ session: Session, _ watches: WatchService, _ close: @escaping (Session) -> Void
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.session1)
        let owner = session.link.owner.uniqueName
        // The owner reads permissions only when they are decided; all others are refused at once.
        interface.gate = { call, proceed in
            let reads = call.message.interface == "org.freedesktop.DBus.Properties"
            if reads, call.caller.uniqueName == owner { session.whenDecided(proceed) } else { proceed() }
        }
        interface.method("Close") { call, _ in
            call.reply()
            close(session)
        }
        interface.method("SetForeground") { call, reader throws(BusError) in
            let state = try reader.readUInt32()
            guard state == 1 || state == 2 else {
                throw BusError(.invalidArgs, "the state is 1 foreground or 2 background, not \(state)")
            }
            session.setForeground(state == 1)
            call.reply()
        }
        EventInterface.add(to: interface, session, watches)
        interface.method("Statistics") { call, _ in
            let counters = session.link.counters.values(superseded: session.link.superseded)
            call.reply { writer throws(BusError) in try writer.append(counters) }
        }
        interface.property("AppId") { _ in .string(session.options.applicationID) }
        interface.property("Authorization") { _ in .uint32(session.grant.status.rawValue) }
        interface.property("AccuracyAuthorization") { _ in .uint32(session.grant.accuracy.rawValue) }
        interface.property("Background") { _ in .uint32(session.duty.backgroundNumber) }
        return interface
    }

    // MARK: - Heading1

    private static func heading1(
        _ session: Session, _ known: @escaping (Session) -> Heading?
    ) -> ExportedInterface {
        let heading = session.heading
        let interface = ExportedInterface(LocateMeInterfaces.heading1)
        interface.method("Start") { call, _ throws(BusError) in
            try heading.start()
            call.reply()
        }
        interface.method("Stop") { call, _ in
            heading.stop()
            call.reply()
        }
        interface.method("GetHeading") { call, reader throws(BusError) in
            try heading.get(call, maximumAgeMilliseconds: try reader.readUInt32(), known: known(session))
        }
        interface.method("DismissCalibration") { call, _ in
            heading.dismissCalibration()
            call.reply()
        }
        interface.property(
            "HeadingFilter", get: { _, writer throws(BusError) in try writer.append(heading.filterDegrees) },
            set: { _, reader throws(BusError) in
                try heading.setFilter(try reader.readDouble())
                session.pose.setFilter(heading.filterDegrees)
            })
        interface.property(
            "HeadingOrientation",
            get: { _, writer throws(BusError) in try writer.append(heading.orientation.rawValue) },
            set: { _, reader throws(BusError) in
                try heading.setOrientation(try reader.readUInt32())
                session.pose.orientationChanged()
            })
        interface.property(
            "ShowCalibration", get: { _, writer throws(BusError) in try writer.append(heading.showsCalibration) },
            set: { _, reader throws(BusError) in heading.setShowsCalibration(try reader.readBool()) })
        interface.property("Running") { _ in .bool(heading.isRunning) }
        return interface
    }

    // MARK: - Location1

    private static func location1(_ session: Session) -> ExportedInterface {
        let location = session.location
        let interface = ExportedInterface(LocateMeInterfaces.location1)
        interface.method("Start") { call, _ in
            permitted(session, call) { () throws(BusError) in
                location.start(known: session.knownPlace)
                call.reply()
            }
        }
        interface.method("Stop") { call, _ in
            location.stop()
            call.reply()
        }
        interface.method("RequestLocation") { call, reader throws(BusError) in
            let accuracy = try reader.readDouble()
            let timeout = try reader.readUInt32()
            let maximumAge = try reader.readUInt32()
            guard accuracy.isFinite else { throw BusError(.invalidArgs, "the accuracy is no finite number of metres") }
            permitted(session, call) { () throws(BusError) in
                location.request(
                    accuracy: accuracy, timeoutMilliseconds: timeout, maximumAgeMilliseconds: maximumAge,
                    known: maximumAge > 0 ? session.lastKnown(Int64(maximumAge) * 1000) : session.currentPlace, call)
            }
        }
        interface.method("GetLastKnown") { call, reader throws(BusError) in
            let maximumAge = Int64(try reader.readUInt32()) * 1000
            permitted(session, call) { () throws(BusError) in
                guard let fix = session.lastKnown(maximumAge) else {
                    throw BusError(.locationUnknown, "no place of that age is known; RequestLocation waits for one")
                }
                call.reply { writer throws(BusError) in try writer.append(fix) }
            }
        }
        interface.method("Flush") { call, _ in
            let count = location.flush()
            call.reply { writer throws(BusError) in try writer.append(count) }
        }
        LocationProperties.add(to: interface, location)
        return interface
    }

    // MARK: - Pose1

    private static func pose1(
        _ session: Session, _ known: @escaping (Session) -> Heading?
    ) -> ExportedInterface {
        let pose = session.pose
        let interface = ExportedInterface(LocateMeInterfaces.pose1)
        interface.method("Start") { call, _ in
            permitted(session, call) { () throws(BusError) in
                call.reply()
                pose.start(
                    filterDegrees: session.heading.filterDegrees, settings: session.location.settings,
                    known: session.knownPlace)
            }
        }
        interface.method("Stop") { call, _ in
            pose.stop()
            call.reply()
        }
        interface.method("Get") { call, reader throws(BusError) in
            let maximumAge = try reader.readUInt32()
            permitted(session, call) { () throws(BusError) in
                pose.get(call, maximumAgeMilliseconds: maximumAge, known: known(session))
            }
        }
        interface.property("Running") { _ in .bool(pose.isRunning) }
        return interface
    }
}
