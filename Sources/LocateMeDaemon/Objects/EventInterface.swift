internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// The queued events of `Session1`.
enum EventInterface {
    static func add(to interface: ExportedInterface, _ session: Session, _ watches: WatchService) {
        interface.method("AckEvents") { call, reader throws(BusError) in
            let left = try watches.acknowledge(for: session.client, upTo: try reader.readUInt64())
            call.reply { writer throws(BusError) in try writer.append(left) }
        }
        interface.method("PendingEvents") { call, reader throws(BusError) in
            let after = try reader.readUInt64()
            let limit = try reader.readUInt32()
            SessionObject.permitted(session, call) { () throws(BusError) in
                var events = try watches.events(for: session.client, after: after, limit: limit)
                if session.grant.accuracy != .full {
                    // What was seen with another permission is not told with this one.
                    events = events.filter { $0.kind == .significantChange && $0.fix.flags.contains(.reduced) }
                }
                call.reply { writer throws(BusError) in
                    try writer.array(of: "(tua{sv})") { elements throws(BusError) in
                        for event in events {
                            try elements.structure { fields throws(BusError) in
                                try fields.append(event.sequence)
                                try fields.append(event.kind.rawValue)
                                try fields.append(details(event))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func details(_ event: StoredEvent) -> [String: BusValue] {
        if let visit = event.visit {
            return [
                "Arrival": .int64(visit.arrival), "Departure": .int64(visit.departure),
                "Latitude": .double(visit.latitude), "Longitude": .double(visit.longitude),
                "Accuracy": .double(visit.accuracy),
            ]
        }
        return [
            "Time": .int64(event.fix.realMicroseconds), "Latitude": .double(event.fix.latitude),
            "Longitude": .double(event.fix.longitude), "Accuracy": .double(event.fix.horizontalAccuracy),
            "Flags": .uint32(event.fix.flags.rawValue),
        ]
    }
}
