internal import Glibc
internal import LocateMeModel

/// The device of this machine that keeps libiio from seeing any. libiio 0.24 opens all of `/sys/bus/iio/devices` or nothing: a
/// name or label that cannot be read, is empty or too long, an entry that leads nowhere, a folder that may not be read, and an index
/// that is no number each make `iio_create_context` fail for all devices. Found by trying each with libiio 0.24 of Debian 12.
struct ContextObstacle: Hashable, Sendable {
    /// The device's id, such as `iio:device2`.
    var device: String
    /// What is wrong with it.
    var what: String
    /// Folder of its driver in sysfs and name of the device there; nil if unknown.
    var driver: (folder: String, device: String)?

    static func == (left: ContextObstacle, right: ContextObstacle) -> Bool {
        left.device == right.device && left.what == right.what
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(what)
    }

    /// Looks for it; nil if all devices are as they should be by now. May block as long as a driver likes.
    ///
    /// - Parameter progress: hears which attribute is going to be read.
    static func find(
        in folder: String = "/sys/bus/iio/devices",
        progress: (_ device: String, _ attribute: String) -> Void = { _, _ in }
    ) -> ContextObstacle? {
        guard case .success(let devices) = entries(of: folder) else { return nil }
        for device in devices.sorted() {
            progress(device, "name")
            guard let what = trouble(of: "\(folder)/\(device)") else { continue }
            return ContextObstacle(device: device, what: what, driver: driver(of: "\(folder)/\(device)"))
        }
        return nil
    }

    /// The finding.
    func finding(uri: String) -> Finding {
        let unbind =
            driver.map { "take it out (echo \($0.device) > \($0.folder)/unbind, as root)" } ?? "take it out"
        return Finding(
            code: "device-unreadable", severity: .error, sensor: "\(uri)/\(device)",
            text: "\(device) hides all sensors of this machine from libiio: \(what)",
            remedy: "\(unbind) and report its driver; the others come back by themselves, within half a minute")
    }

    // MARK: - Private

    private static func trouble(of device: String) -> String? {
        if let trouble = troubleInFolder(device) { return trouble }
        for file in ["name", "label"] {
            switch text("\(device)/\(file)") {
            case .failure(let code) where code == ENOENT || code == EISDIR: continue
            case .failure(let code): return "its \(file) cannot be read: \(reason(code))"
            case .success(let length) where length == 0: return "its \(file) is empty"
            // The kernel gives a page at most.
            case .success(let length) where length >= 4096: return "its \(file) is too long"
            case .success: continue
            }
        }
        for part in ["scan_elements", "buffer", "events"] where isFolder("\(device)/\(part)") {
            if let trouble = troubleInFolder("\(device)/\(part)") { return trouble }
        }
        guard case .success(let elements) = entries(of: "\(device)/scan_elements") else { return nil }
        for element in elements.sorted() where element.hasSuffix("_index") {
            guard let first = firstByte("\(device)/scan_elements/\(element)") else { continue }
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard
                digits.contains(first)
                    || [UInt8(ascii: " "), 9, 10, UInt8(ascii: "-"), UInt8(ascii: "+")].contains(first)
            else { return "its scan_elements/\(element) is no number" }
        }
        return nil
    }

    /// What cannot be listed, or an entry that leads nowhere.
    private static func troubleInFolder(_ folder: String) -> String? {
        switch entries(of: folder) {
        case .failure(let code):
            return "\(folder) cannot be read: \(reason(code))"
        case .success(let names):
            for name in names.sorted() {
                var status = stat()
                guard stat("\(folder)/\(name)", &status) != 0 else { continue }
                return "\(folder)/\(name) cannot be read: \(reason(errno))"
            }
            return nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    private enum Answer<Value> {
        case success(Value)
        case failure(Int32)
    }

    private static func entries(of folder: String) -> Answer<[String]> {
        guard let stream = opendir(folder) else { return .failure(errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return .success(names)
    }

    /// The length of what a file holds, up to a page.
    private static func text(_ path: String) -> Answer<Int> {
        var bytes = [UInt8](repeating: 0, count: 4096)
        return read(path, into: &bytes)
    }

    private static func firstByte(_ path: String) -> UInt8? {
        var bytes: [UInt8] = [0]
        guard case .success(let count) = read(path, into: &bytes), count > 0 else { return nil }
        return bytes[0]
    }

    private static func read(_ path: String, into bytes: inout [UInt8]) -> Answer<Int> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(errno) }
        defer { close(descriptor) }
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? .failure(errno) : .success(count)
    }

    private static func driver(of device: String) -> (folder: String, device: String)? {
        func real(_ path: String) -> String? {
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }
        guard let parent = real("\(device)/.."), let folder = real("\(device)/../driver"),
            folder.contains("/drivers/"), let name = parent.split(separator: "/").last
        else { return nil }
        return (folder, String(name))
    }
}
