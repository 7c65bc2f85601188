import SystemServices
import Testing

/// The D-Bus specification's rules for bus names.
@Test(arguments: [
    ServiceName.login, ServiceName.policyKit, ServiceName.powerSupply, ServiceName.powerProfiles, ServiceName.geoClue,
    ServiceName.modemManager,
])
func `Names are well-known bus names`(name: String) {
    let elements = name.split(separator: ".", omittingEmptySubsequences: false)
    #expect(elements.count >= 2 && name.utf8.count <= 255)
    for element in elements { #expect(element.first.map { $0.isLetter || $0 == "_" } == true) }
}
