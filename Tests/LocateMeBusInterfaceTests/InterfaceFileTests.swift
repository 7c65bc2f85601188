import Foundation
import FoundationXML
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
        let document = try XMLDocument(xmlString: interface.xml)
        let root = try #require(document.rootElement())
        var members = 0
        var previous: XMLNode?
        for child in root.children ?? [] {
            if let element = child as? XMLElement, ["method", "signal", "property"].contains(element.name) {
                members += 1
                #expect(
                    previous?.kind == .comment && (previous?.stringValue ?? "").count > 10,
                    "\(interface.name).\(element.attribute(forName: "name")?.stringValue ?? "?") has no comment")
            }
            if child.kind != .text { previous = child }
        }
        #expect(members == interface.methods.count + interface.signals.count + interface.properties.count)
    }
}
