internal import TestSupport
internal import Testing
internal import WayreelStreams

/// `wayreel streams convert`, with other programs as judges of what it writes.
@Suite struct StreamsConvertCommandTests {
    private let bench = Workbench()

    /// Writes four seconds of two leads in mV.
    private func writeLeads() throws {
        var lines = "seconds,ecg.i [mV],ecg.ii [mV]\n"
        for index in 0..<1000 {
            lines += "\(Double(index) / 250),\(Double(index % 50) / 100),\(Double(index % 20) / -50)\n"
        }
        try bench.write(lines, to: "leads.csv")
        try bench.write("{\"time\":1.5,\"seconds\":0.5,\"mark\":\"noise\"}\n", to: "leads.csv.marks.ndjson")
    }

    @Test func theCommandsOfTheDocumentation() throws {
        try writeLeads()
        expectDone(try bench.shell("wayreel streams convert leads.csv -o leads.edf"))
        expectDone(try bench.shell("wayreel streams convert leads.edf -o part.csv --stream ecg.ii --from 1s --for 2s"))
        let lines = try bench.text("part.csv").split(separator: "\n")
        #expect(lines.count == 501 && lines[0] == "seconds,ecg.ii [mV]" && lines[1].hasPrefix("1,"))
        let show = try expectDone(bench.shell("wayreel streams show leads.edf"))
        #expect(show.text.contains("ii -0.38 to 0 mV") && show.text.contains("1 mark\n    1.5  0.5 s  noise"))
        expectRefused(try bench.shell("wayreel streams convert leads.csv -o leads.csv"), 2, "is the input")
        expectRefused(try bench.shell("wayreel streams convert leads.csv -o x.edf --stream v1"), 2, "has no 'v1'")
        for option in ["-o x.gpx", "-o x.edf --tidy", "-o x.csv --from soon"] {
            #expect(try bench.shell("wayreel streams convert leads.csv \(option)").ending == .exited(2))
        }
    }

    /// Signal files are beside the header, also beside one that is named without a folder.
    @Test func recordsInTheWorkingFolder() throws {
        expectDone(try bench.shell("cp \(Fixture.root)/Tests/Fixtures/streams/w212.* ."))
        let show = try expectDone(bench.shell("wayreel streams show w212.hea"))
        #expect(show.text.contains("mlii") && show.text.contains("4 marks"))
        expectDone(try bench.shell("wayreel streams convert w212.hea -o w212.csv --stream ecg"))
        #expect(try bench.text("w212.csv").hasPrefix("time,ecg.mlii [mV]\n2026-11-23T17:05:09Z,"))
    }

    private static let judge = """
        import csv, sys, numpy as np, pyedflib, pydicom
        x = np.array([[float(v) for v in row[1:]] for row in list(csv.reader(open("leads.csv")))[1:]])
        r = pyedflib.EdfReader("leads.edf")
        y = np.stack([r.readSignal(i) for i in range(2)], 1)
        assert r.getSignalLabels() == ["ECG I", "ECG II"] and r.getPhysicalDimension(0) == "mV"
        assert list(r.getSampleFrequencies()) == [250, 250] and abs(y - x).max() < 1e-5
        assert [list(a) for a in r.readAnnotations()] == [[1.5], [0.5], ["noise"]]
        d = pydicom.dcmread("leads.dcm")
        assert abs(d.waveform_array(0) / 1000 - x).max() < 1e-9 and d.WaveformSequence[0].SamplingFrequency == 250
        mark = d.WaveformAnnotationSequence[0]
        assert mark.UnformattedTextValue == "noise" and list(mark.ReferencedSamplePositions) == [376, 501]
        print("as written")
        """

    @Test(.enabled(if: References.have("pyedflib,pydicom"))) func otherProgramsReadIt() throws {
        try writeLeads()
        expectDone(try bench.shell("wayreel streams convert leads.csv -o leads.edf"))
        expectDone(try bench.shell("wayreel streams convert leads.csv -o leads.dcm"))
        try bench.write(Self.judge, to: "judge.py")
        #expect(try expectDone(bench.shell("\(References.folder)/python judge.py")).text == "as written\n")
    }
}
