/// The version of the package.
public let locateMeVersion = "0.1.0"
