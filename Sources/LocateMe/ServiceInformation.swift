public import LocateMeModel
internal import MessageBus

/// The properties of `Manager1`: what this machine can do.
public struct ServiceInformation: Hashable, Sendable {
    /// Version of the service.
    public var version: String
    /// Version of its interfaces.
    public var apiVersion: UInt32
    /// False if location is switched off for everyone.
    public var locationServicesEnabled: Bool
    /// True if there is a source of places.
    public var locationAvailable: Bool
    /// True if there is a magnetometer or a hub with a heading.
    public var headingAvailable: Bool
    /// True if significant changes can be reported.
    public var significantChangeAvailable: Bool
    /// True if regions can be monitored.
    public var regionMonitoringAvailable: Bool
    /// True if addresses can be looked up.
    public var geocodingAvailable: Bool
    /// True while some session runs.
    public var inUse: Bool
    /// Metres; −1: no regions.
    public var maximumRegionRadius: Double
    /// Regions per client.
    public var maximumRegions: UInt32
    /// Names of what the service can do.
    public var capabilities: [String]
    /// Sources of places and samples.
    public var sources: [SourceDescription]

    init(_ properties: [String: BusValue]) {
        func flag(_ name: String) -> Bool { properties[name]?.boolValue ?? false }
        version = properties["Version"]?.stringValue ?? ""
        apiVersion = properties["ApiVersion"]?.uint32Value ?? 0
        locationServicesEnabled = flag("LocationServicesEnabled")
        locationAvailable = flag("LocationAvailable")
        headingAvailable = flag("HeadingAvailable")
        significantChangeAvailable = flag("SignificantChangeAvailable")
        regionMonitoringAvailable = flag("RegionMonitoringAvailable")
        geocodingAvailable = flag("GeocodingAvailable")
        inUse = flag("InUse")
        maximumRegionRadius = properties["MaximumRegionRadius"]?.doubleValue ?? -1
        maximumRegions = properties["MaximumRegions"]?.uint32Value ?? 0
        capabilities = properties["Capabilities"]?.stringsValue ?? []
        sources = []
        guard case .array(of: "(ssu)", let rows) = properties["Sources"] else { return }
        for case .structure(let row) in rows {
            guard row.count == 3, let id = row[0].stringValue, let kind = row[1].stringValue,
                let state = row[2].uint32Value.flatMap(SourceState.init)
            else { continue }
            sources.append(SourceDescription(id: id, kind: kind, state: state))
        }
    }
}
