/// A D-Bus type in plain words with its code, for error texts: `a string (s)`.
func typeName(_ signature: String) -> String {
    let name =
        switch signature.utf8.first {
        case UInt8(ascii: "b"): "a boolean"
        case UInt8(ascii: "y"): "a byte"
        case UInt8(ascii: "n"): "a 16-bit integer"
        case UInt8(ascii: "q"): "an unsigned 16-bit integer"
        case UInt8(ascii: "i"): "a 32-bit integer"
        case UInt8(ascii: "u"): "an unsigned 32-bit integer"
        case UInt8(ascii: "x"): "a 64-bit integer"
        case UInt8(ascii: "t"): "an unsigned 64-bit integer"
        case UInt8(ascii: "d"): "a floating-point number"
        case UInt8(ascii: "s"): "a string"
        case UInt8(ascii: "o"): "an object path"
        case UInt8(ascii: "g"): "a signature"
        case UInt8(ascii: "h"): "a file descriptor"
        case UInt8(ascii: "a"): "an array"
        case UInt8(ascii: "r"), UInt8(ascii: "("): "a structure"
        case UInt8(ascii: "e"), UInt8(ascii: "{"): "a dictionary entry"
        case UInt8(ascii: "v"): "a variant"
        default: "a value"
        }
    return signature.isEmpty ? name : "\(name) (\(signature))"
}
