import Foundation
import LocateMeBusInterface
import MessageBus
import TestSupport
import Testing

@Suite struct InterfaceFileTests {
    @Test("The programs carry each interface file word for word", arguments: LocateMeInterfaces.documents.indices)
    func sameAsFile(index: Int) throws {
        let (interface, xml) = LocateMeInterfaces.documents[index]
        let file = try String(contentsOf: Repository.file("dbus/\(interface.name).xml"), encoding: .utf8)
        #expect(xml + "\n" == file, "run scripts/embed-interfaces")
        #expect(file.contains(interface.xml))
    }

    @Test("Every interface file is carried by the programs")
    func allFiles() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.file("dbus").path)
            .filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }
        #expect(names.sorted() == LocateMeInterfaces.documents.map(\.interface.name).sorted())
    }

    @Test("Every member is documented", arguments: LocateMeInterfaces.documents.indices)
    func documented(index: Int) throws {
        let interface = LocateMeInterfaces.documents[index].interface
        var members = 0
        var previous: Substring = ""
        for line in interface.xml.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if ["<method ", "<signal ", "<property "].contains(where: line.hasPrefix) {
                members += 1
                #expect(previous.hasSuffix("-->"), "\(interface.name): no comment before \(line)")
            }
            previous = line
        }
        #expect(members == interface.methods.count + interface.signals.count + interface.properties.count)
    }
}
