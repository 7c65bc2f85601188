internal import CLibXML

/// Reads the track points of GPX 1.0 and 1.1 (topografix.com/GPX/1/1, the schema) by libxml2.
///
/// Nothing outside of the bytes is opened and no entity is resolved: GPX has no document type, so a file that brings one is
/// refused before anything of it counts. A file that ends early, as loggers write them until they are stopped, gives what
/// stands before its end.
public enum GPXReader {
    /// More points than a year of one a second.
    static let pointLimit = 32_000_000

    /// Reads a whole file.
    public static func read(_ bytes: [UInt8]) throws(TrackError) -> Track {
        guard !bytes.isEmpty else { throw TrackError("the file is empty") }
        guard bytes.count <= Int(Int32.max) else { throw TrackError("the file is too large") }
        var builder = GPXBuilder()
        var failure: TrackError?
        bytes.withUnsafeBytes { buffer in
            // Errors are told by the reader's state; libxml2 would print them.
            let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
            guard
                let reader = xmlReaderForMemory(
                    buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil, nil, options)
            else {
                failure = TrackError("out of memory")
                return
            }
            defer { xmlFreeTextReader(reader) }
            do throws(TrackError) {
                try read(reader, into: &builder)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return try builder.track()
    }

    private static func read(_ reader: xmlTextReaderPtr, into builder: inout GPXBuilder) throws(TrackError) {
        var status = xmlTextReaderRead(reader)
        while status == 1 {
            switch xmlTextReaderNodeType(reader) {
            case Int32(XML_READER_TYPE_DOCUMENT_TYPE.rawValue):
                let isPage = text(xmlTextReaderConstName(reader)).lowercased() == "html"
                throw TrackError(isPage ? "not a GPX file (HTML)" : "it defines a document type, which GPX has not")
            case Int32(XML_READER_TYPE_ELEMENT.rawValue): try begin(reader, &builder)
            case Int32(XML_READER_TYPE_END_ELEMENT.rawValue):
                builder.end(text(xmlTextReaderConstLocalName(reader)))
            case Int32(XML_READER_TYPE_TEXT.rawValue), Int32(XML_READER_TYPE_CDATA.rawValue):
                builder.add(text(xmlTextReaderConstValue(reader)))
            default: break
            }
            status = xmlTextReaderRead(reader)
        }
        builder.isCutOff = status != 0
    }

    private static func begin(_ reader: xmlTextReaderPtr, _ builder: inout GPXBuilder) throws(TrackError) {
        let name = text(xmlTextReaderConstLocalName(reader))
        let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
        let space = text(xmlTextReaderConstNamespaceUri(reader))
        var attributes: [(String, String)] = []
        if name == "trkpt" || !builder.hasRoot {
            while attributes.count < 16, xmlTextReaderMoveToNextAttribute(reader) == 1 {
                attributes.append((text(xmlTextReaderConstLocalName(reader)), text(xmlTextReaderConstValue(reader))))
            }
            // Fails only where there are no attributes.
            _ = xmlTextReaderMoveToElement(reader)
        }
        try builder.begin(name, namespace: space, attributes)
        if isEmpty { builder.end(name) }
    }

    private static func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
        pointer.map { String(decodingCString: $0, as: UTF8.self) } ?? ""
    }
}
