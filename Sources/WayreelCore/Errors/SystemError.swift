/// An errno value.
package struct SystemError: Error {
    package var code: Int32

    package init(code: Int32) { self.code = code }
}
