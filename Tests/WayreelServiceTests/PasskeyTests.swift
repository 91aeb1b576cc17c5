import Foundation
import Testing
import WayreelService

/// Passkeys that others have made: the vectors of WebAuthn Level 3, section 16, and one of Ed25519 whose signature is
/// OpenSSL's.
@Suite struct PasskeyTests {
    /// What an authenticator has made for `https://example.org`.
    struct Vector: Sendable {
        var name: String
        var id: String
        var attestation: String
        var creation: String
        var authenticatorData: String
        var assertion: String
        var signature: String
        var counter: UInt32 = 0
        var newCounter: UInt32 = 0
    }

    /// Section 16.2, "ES256 Credential with No Attestation".
    static let es256 = Vector(
        name: "ES256", id: "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4",
        attestation:
            "a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220",
        creation:
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c4535513d3d227d",
        authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000",
        assertion:
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
        signature:
            "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87"
    )

    /// The key is that of the seed SHA-256("wayreel ed25519 vector"). Made by `openssl pkeyutl -sign -rawin`.
    static let ed25519 = Vector(
        name: "Ed25519", id: "0b88fde5be8d9979016d2b8624c03423",
        attestation:
            "a363666d74646e6f6e656761747453746d74a06861757468446174615871bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b545000000070000000000000000000000000000000000100b88fde5be8d9979016d2b8624c03423a4010103272006215820c2af75d52187d949b5e12da145134998a74423ee564154677aadef573b7760b9",
        creation:
            "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a224c64414c3133344349733759676d5a5567616e4232666b484d4a3057344637514236487159354b4564366b222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
        authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000008",
        assertion:
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224c64414c3133344349733759676d5a5567616e4232666b484d4a3057344637514236487159354b4564366b222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
        signature:
            "1159b272e31ee7ed4efa0b3314b835e0ec8817d15dc157b73c9c6e10c509a4cd7d7a8f768578eafe38d42461ed000d5fbdff3115462700d8b6524f9d35caa504",
        counter: 7, newCounter: 8)

    /// Section 16.3, "ES256 Credential with Self Attestation".
    static let selfAttestation =
        "a363666d74667061636b65646761747453746d74a263616c67266373696758483046022100ae045923ded832b844cae4d5fc864277c0dc114ad713e271af0f0d371bd3ac540221009077a088ed51a673951ad3ba2673d5029bab65b64f4ea67b234321f86fcfac5d68617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b55d00000000df850e09db6afbdfab51697791506cfc0020455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58ca5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2"

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    /// The challenge that client data answer, read by Foundation.
    private static func challenge(_ clientData: [UInt8]) throws -> [UInt8] {
        let object = try JSONSerialization.jsonObject(with: Data(clientData))
        let text = try #require((object as? [String: Any])?["challenge"] as? String)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/") + "="
        return Array(try #require(Data(base64Encoded: standard)))
    }

    private static func verifier(_ url: String = "https://example.org") throws -> PasskeyVerifier {
        PasskeyVerifier(site: try #require(PasskeySite(url)))
    }

    private static func registered(_ vector: Vector) throws -> PasskeyVerifier.Registration {
        let creation = bytes(vector.creation)
        return try verifier().register(
            clientData: creation, attestationObject: bytes(vector.attestation), challenge: challenge(creation))
    }

    @Test(arguments: [es256, ed25519]) func acceptsWhatOthersHaveMade(vector: Vector) throws {
        let registration = try Self.registered(vector)
        #expect(registration.id == Self.bytes(vector.id))
        #expect(registration.counter == vector.counter)
        let assertion = Self.bytes(vector.assertion)
        let counter = try Self.verifier().authenticate(
            clientData: assertion, authenticatorData: Self.bytes(vector.authenticatorData),
            signature: Self.bytes(vector.signature), challenge: Self.challenge(assertion), key: registration.key,
            counter: vector.counter)
        #expect(counter == vector.newCounter)
    }

    @Test func acceptsOtherAttestations() throws {
        let creation = Self.bytes(Self.es256.creation)
        let registration = try Self.verifier().register(
            clientData: creation, attestationObject: Self.bytes(Self.selfAttestation),
            challenge: Self.challenge(creation))
        #expect(registration.id == Self.bytes("455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c"))
    }

    /// Nothing that is signed or sent may be another one: each change of a bit of the assertion is refused.
    @Test(arguments: [es256, ed25519]) func refusesEveryChange(vector: Vector) throws {
        let key = try Self.registered(vector).key
        let assertion = Self.bytes(vector.assertion)
        let challenge = try Self.challenge(assertion)
        let (data, signature) = (Self.bytes(vector.authenticatorData), Self.bytes(vector.signature))
        func accepts(_ clientData: [UInt8], _ data: [UInt8], _ signature: [UInt8]) -> Bool {
            (try? Self.verifier().authenticate(
                clientData: clientData, authenticatorData: data, signature: signature, challenge: challenge, key: key,
                counter: vector.counter)) != nil
        }
        #expect(accepts(assertion, data, signature))
        for index in assertion.indices {
            var changed = assertion
            changed[index] ^= 1
            #expect(!accepts(changed, data, signature), "byte \(index) of the client data")
        }
        for index in data.indices {
            var changed = data
            changed[index] ^= 1
            #expect(!accepts(assertion, changed, signature), "byte \(index) of the authenticator's data")
        }
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!accepts(assertion, data, changed), "byte \(index) of the signature")
        }
        #expect(!accepts(assertion, data + [0], signature))
        #expect(!accepts(assertion, data.dropLast(), signature))
    }

    @Test func refusesOtherPurposes() throws {
        let vector = Self.es256
        let creation = Self.bytes(vector.creation)
        let challenge = try Self.challenge(creation)
        let attestation = Self.bytes(vector.attestation)
        func accepts(
            _ clientData: [UInt8], at url: String = "https://example.org", _ challenge: [UInt8]
        ) -> Bool {
            (try? Self.verifier(url).register(
                clientData: clientData, attestationObject: attestation, challenge: challenge)) != nil
        }
        #expect(accepts(creation, challenge))
        #expect(!accepts(creation, at: "https://example.com", challenge))
        #expect(!accepts(creation, at: "https://a.example.org", challenge))
        #expect(!accepts(creation, at: "https://example.org:8443", challenge))
        #expect(!accepts(creation, Self.bytes("00")))
        #expect(!accepts(Self.bytes(vector.assertion), try Self.challenge(Self.bytes(vector.assertion))))
        let inner = String(decoding: creation, as: UTF8.self).replacing(
            #""crossOrigin":false"#, with: #""crossOrigin":true"#)
        #expect(!accepts(Array(inner.utf8), challenge))
        // Cut off anywhere, or with something behind it.
        for count in attestation.indices {
            let cut = Array(attestation[..<count])
            #expect(
                (try? Self.verifier().register(clientData: creation, attestationObject: cut, challenge: challenge))
                    == nil)
        }
        #expect(
            (try? Self.verifier().register(
                clientData: creation, attestationObject: attestation + [0], challenge: challenge)) == nil)
    }

    /// A counter that does not grow belongs to a copy (WebAuthn, section 6.1.1).
    @Test(arguments: [(UInt32(6), true), (7, true), (8, false), (9, false), (.max, false)])
    func wantsCountersThatGrow(counter: UInt32, isAccepted: Bool) throws {
        let vector = Self.ed25519
        let assertion = Self.bytes(vector.assertion)
        let key = try Self.registered(vector).key
        let accepted = try? Self.verifier().authenticate(
            clientData: assertion, authenticatorData: Self.bytes(vector.authenticatorData),
            signature: Self.bytes(vector.signature), challenge: Self.challenge(assertion), key: key, counter: counter)
        #expect((accepted != nil) == isAccepted)
    }

    @Test(arguments: [
        ("https://stories.example.org", "stories.example.org", "https://stories.example.org"),
        ("https://Stories.Example.org/", "stories.example.org", "https://stories.example.org"),
        ("https://stories.example.org:443", "stories.example.org", "https://stories.example.org"),
        ("https://stories.example.org:8443", "stories.example.org", "https://stories.example.org:8443"),
        ("http://localhost:8080", "localhost", "http://localhost:8080"),
        ("http://a.localhost", "a.localhost", "http://a.localhost"),
    ]) func readsSites(url: String, id: String, origin: String) throws {
        let site = try #require(PasskeySite(url))
        #expect(site.id == id)
        #expect(site.origin == origin)
    }

    @Test(arguments: [
        "", "stories.example.org", "http://stories.example.org", "https://", "https://192.0.2.1", "https://[::1]",
        "https://a.example/stories", "https://a@example.org", "https://example.org:0", "https://example.org:99999",
        "https://example.org:", "https://example..org", "https://intranet", "ftp://example.org", "https://ex ample.org",
        "https://example.org?x", "https://example.org#x",
    ]) func refusesSitesWithoutPasskeys(url: String) { #expect(PasskeySite(url) == nil) }

    /// Examples of RFC 8949, appendix A, and what authenticators do not write.
    @Test(arguments: [
        ("00", CBORValue.integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("1903e8", .integer(1000)),
        ("1b7fffffffffffffff", .integer(.max)), ("20", .integer(-1)), ("3903e7", .integer(-1000)),
        ("3b7fffffffffffffff", .integer(.min)), ("f4", .boolean(false)), ("f5", .boolean(true)), ("f6", .null),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("6161", .text("a")), ("62c3bc", .text("ü")),
        ("80", .array([])), ("83010203", .array([.integer(1), .integer(2), .integer(3)])), ("a0", .map([:])),
        ("a26161016162820203", .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])),
    ]) func readsCBOR(hexadecimal: String, value: CBORValue) throws {
        #expect(try CBORReader.readAll(Self.bytes(hexadecimal)[...]) == value)
    }

    @Test(arguments: [
        "", "18", "1817", "190010", "1a0000ffff", "1b00000000ffffffff", "1bffffffffffffffff", "3bffffffffffffffff",
        "1c",
        "1f", "41", "5f", "5bffffffffffffffff", "61ff", "62c328", "9bffffffffffffffff", "bbffffffffffffffff", "9f",
        "bf",
        "a2010201", "a201020102", "c0", "f90000", "fb0000000000000000", "e0", "ff", "0000", "81818181818181818100",
        "8201",
    ]) func refusesOtherCBOR(hexadecimal: String) {
        #expect(throws: CBORReader.Fault.self) { try CBORReader.readAll(Self.bytes(hexadecimal)[...]) }
    }
}
