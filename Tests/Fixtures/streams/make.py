"""Writes the recordings of this folder with the packages that judge them, and what these read of them.

    python3 -m venv venv && venv/bin/pip install pyedflib==0.1.42 wfdb==4.3.1 pydicom==3.0.2 && venv/bin/python make.py

expected.json has for each recording and channel its unit, its rate, its first time in seconds since 1970 or since the start, and its
values to seven digits, by the reader of the package; null is a gap.
"""
import datetime, json, math, os, zipfile, numpy as np, pydicom, pyedflib, wfdb
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence

os.chdir(os.path.dirname(os.path.abspath(__file__)))
random = np.random.default_rng(7)
expected = {}
UTC = datetime.timezone.utc
START = datetime.datetime(2026, 11, 23, 17, 5, 9)
START_SECONDS = START.replace(tzinfo=UTC).timestamp()


def wave(count, rate, scale=1.0):
    t = np.arange(count) / rate
    return scale * (np.sin(2 * np.pi * 1.3 * t) + 0.2 * random.standard_normal(count))


def note(name, channels, marks=()):
    expected[name] = {
        "channels": [
            {"name": n, "unit": u, "rate": r, "start": s, "values": [None if math.isnan(v) else float(f"{v:.7g}") for v in values]}
            for n, u, r, s, values in channels
        ],
        "marks": [list(m) for m in marks],
    }


def signal(label, unit, rate, low, high, bits=16):
    return {
        "label": label, "dimension": unit, "sample_frequency": rate, "physical_min": low, "physical_max": high,
        "digital_min": -(1 << bits - 1), "digital_max": (1 << bits - 1) - 1, "transducer": "", "prefilter": "",
    }


SIGNALS = [("ECG II", "mV", 50, "ecg.ii", 4), ("EEG Fpz-Cz", "uV", 25, "eeg.fpz-cz", 200), ("Pleth", "", 10, "signal.pleth", 1)]


def edf(name, kind, bits):
    writer = pyedflib.EdfWriter(name, len(SIGNALS), file_type=kind)
    writer.setStartdatetime(START)
    for index, (label, unit, rate, _, high) in enumerate(SIGNALS):
        writer.setSignalHeader(index, signal(label, unit, rate, -high, high, bits))
    writer.writeSamples([wave(rate * 4, rate, high / 3) for _, _, rate, _, high in SIGNALS])
    writer.writeAnnotation(0.5, -1, "begins")
    writer.writeAnnotation(1.25, 0.5, "ektopischer Schlag ü")
    writer.close()
    read(name)


def read(name):
    reader = pyedflib.EdfReader(name)
    marks = [(START_SECONDS + t, max(0, d), text) for t, d, text in zip(*reader.readAnnotations())]
    note(
        name,
        [
            (channel, unit or None, rate, START_SECONDS, reader.readSignal(index))
            for index, (_, unit, rate, channel, _) in enumerate(SIGNALS)
        ],
        marks,
    )
    reader.close()


edf("plus.edf", pyedflib.FILETYPE_EDFPLUS, 16)
edf("plus.bdf", pyedflib.FILETYPE_BDFPLUS, 24)

# EDF+D: the third and fourth records come ten seconds later. pyedflib refuses discontinuous files; the values are those of plus.edf.
data = bytearray(open("plus.edf", "rb").read())
data[192:197] = b"EDF+D"
for record in (2, 3):
    at = data.index(b"+%d\x14\x14" % record)
    data[at:at + 5] = b"+%d\x14\x14" % (record + 10)
open("gaps.edf", "wb").write(data)

def packed(x, fmt):
    """The bytes of samples by signal(5); what wfdb does not write, it reads below."""
    if fmt in ("16", "32"):
        return x.astype(f"<i{int(fmt) // 8}").tobytes()
    if fmt == "61":
        return x.astype(">i2").tobytes()
    if fmt == "160":
        return (x + 32768).astype("<u2").tobytes()
    if fmt == "80":
        return (x + 128).astype("u1").tobytes()
    if fmt == "24":
        return b"".join(int(v).to_bytes(3, "little", signed=True) for v in x)
    size = 2 if fmt == "212" else 3
    x = np.concatenate([x, np.zeros(-len(x) % size, int)])
    out = bytearray()
    for group in x.reshape(-1, size):
        if fmt == "212":
            a, b = (int(v) & 0xFFF for v in group)
            out += bytes([a & 255, a >> 8 | (b >> 8) << 4, b & 255])
        elif fmt == "310":
            a, b, c = (int(v) & 0x3FF for v in group)
            out += (a << 1 | (c & 31) << 11).to_bytes(2, "little") + (b << 1 | c >> 5 << 11).to_bytes(2, "little")
        else:
            a, b, c = (int(v) & 0x3FF for v in group)
            out += (a | b << 10 | c << 20).to_bytes(4, "little")
    return bytes(out)


# WFDB: one file of two signals for each format, with a gap, and annotations.
for fmt in ["16", "212", "80", "24", "32", "61", "160", "310", "311"]:
    bits = {"80": 8, "212": 12, "310": 10, "311": 10}.get(fmt, 16)
    gain = (1 << bits - 1) / 4
    values = np.stack([wave(61, 100), wave(61, 100, 0.5)], axis=1)
    digital = np.round(values * gain).astype(int) + np.array([3, -5])
    digital[7, 1] = -(1 << bits - 1) if fmt not in ("24", "32") else -(1 << int(fmt) - 1)
    name = f"w{fmt}"
    with open(f"{name}.dat", "wb") as file:
        file.write(packed(digital.ravel(), fmt))
    with open(f"{name}.hea", "w") as file:
        file.write(f"{name} 2 100 61 17:05:09 23/11/2026\n")
        file.write(f"{name}.dat {fmt} {gain:g}(3)/mV {bits} 0 0 0 0 MLII\n{name}.dat {fmt} {gain * 2:g}(-5)/mmHg {bits} 0 0 0 0 ABP\n")
    record = wfdb.rdrecord(name)
    note(
        f"{name}.hea",
        [
            (channel, unit, 100, START_SECONDS, record.p_signal[:, index])
            for index, (channel, unit) in enumerate([("ecg.mlii", "mV"), ("signal.abp", "mmHg")])
        ],
    )
wfdb.wrann("w212", "atr", np.array([10, 30, 55, 3000]), symbol=["N", "V", "+", '"'], aux_note=["", "", "(AFIB", "a comment"], fs=100)
annotations = wfdb.rdann("w212", "atr")
expected["w212.hea"]["marks"] = [
    (START_SECONDS + s / 100, 0, " ".join(filter(None, ["" if symbol == '"' else symbol, aux.rstrip("\0")])))
    for s, symbol, aux in zip(annotations.sample, annotations.symbol, annotations.aux_note)
]
# Several samples in a frame.
wfdb.wrsamp(
    "frames", fs=50, units=["mV", "mV"], sig_name=["I", "RESP"], fmt=["16", "16"], adc_gain=[1000, 500], baseline=[0, 10],
    e_d_signal=[np.round(wave(80, 100) * 1000).astype(int), np.round(wave(40, 50) * 500).astype(int)], samps_per_frame=[2, 1],
)
record = wfdb.rdrecord("frames", smooth_frames=False)
note("frames.hea", [("ecg.i", "mV", 100, 0, record.e_p_signal[0]), ("signal.resp", "mV", 50, 0, record.e_p_signal[1])])

# DICOM.
LEADS = ["I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6"]


def code(value, scheme, meaning):
    item = Dataset()
    item.CodeValue, item.CodingSchemeDesignator, item.CodeMeaning = value, scheme, meaning
    return Sequence([item])


def group(leads, frames, rate, offset=None):
    item = Dataset()
    item.WaveformOriginality = "ORIGINAL"
    item.NumberOfWaveformChannels, item.NumberOfWaveformSamples, item.SamplingFrequency = len(leads), frames, rate
    if offset is not None:
        item.MultiplexGroupTimeOffset = offset
    item.ChannelDefinitionSequence = Sequence()
    for index, lead in enumerate(leads):
        channel = Dataset()
        channel.ChannelSourceSequence = code("5.6.3-9-1", "SCPECG", f"Lead {lead}")
        channel.ChannelSensitivity = "4.88"
        channel.ChannelSensitivityUnitsSequence = code("uV", "UCUM", "microvolt")
        channel.ChannelSensitivityCorrectionFactor, channel.ChannelBaseline = "1", str(index)
        channel.ChannelSampleSkew, channel.WaveformBitsStored = "0", 16
        item.ChannelDefinitionSequence.append(channel)
    item.WaveformBitsAllocated, item.WaveformSampleInterpretation = 16, "SS"
    numbers = np.stack([np.round(wave(frames, rate, 100)) for _ in leads], axis=1).astype("<i2")
    return item, numbers


GROUPS = [group(LEADS, 60, 250), group(["II"], 30, 100, 200)]


def dicom(name, syntax):
    file = Dataset()
    file.file_meta = FileMetaDataset()
    file.file_meta.TransferSyntaxUID = syntax
    file.file_meta.MediaStorageSOPClassUID = file.SOPClassUID = "1.2.840.10008.5.1.4.1.1.9.1.1"
    file.file_meta.MediaStorageSOPInstanceUID = file.SOPInstanceUID = "2.25.1234567890"
    file.Modality, file.SeriesDescription = "ECG", "Rhythm strip"
    file.AcquisitionDateTime = START.strftime("%Y%m%d%H%M%S") + ".500"
    file.TimezoneOffsetFromUTC = "+0000"
    groups = GROUPS
    for item, numbers in groups:
        item.WaveformData = numbers.astype(">i2" if syntax.endswith(".2.2") else "<i2").tobytes()
        item["WaveformData"].VR = "OW"
    file.WaveformSequence = Sequence([item for item, _ in groups])
    beat, strip = Dataset(), Dataset()
    beat.TemporalRangeType, beat.ReferencedSamplePositions, beat.ReferencedWaveformChannels = "POINT", 51, [1, 2]
    beat.UnformattedTextValue = "R peak"
    strip.TemporalRangeType, strip.ReferencedSamplePositions, strip.ReferencedWaveformChannels = "SEGMENT", [6, 56], [1, 0]
    strip.ConceptNameCodeSequence, strip.NumericValue = code("8867-4", "LN", "Heart rate"), "72"
    strip.MeasurementUnitsCodeSequence = code("/min", "UCUM", "per minute")
    file.WaveformAnnotationSequence = Sequence([beat, strip])
    little = not syntax.endswith(".2.2")
    pydicom.dcmwrite(name, file, enforce_file_format=True, little_endian=little, implicit_vr=syntax == "1.2.840.10008.1.2")
    back = pydicom.dcmread(name)
    if name != "explicit.dcm":
        # The same data: pydicom reads waveforms of big endian as little endian.
        for index in range(2 if little else 0):
            assert (back.waveform_array(index) == pydicom.dcmread("explicit.dcm").waveform_array(index)).all()
        return
    channels = []
    for index, (leads, rate, offset) in enumerate([(LEADS, 250, 0), (["II"], 100, 0.2)]):
        values = back.waveform_array(index)
        for place, lead in enumerate(leads):
            suffix = "-2" if index else ""
            channels.append((f"ecg.{lead.lower()}{suffix}", "uV", rate, START_SECONDS + 0.5 + offset, values[:, place]))
    note(name, channels, [(START_SECONDS + 0.7, 0, "R peak"), (START_SECONDS + 0.52, 0.2, "Heart rate 72 /min")])


dicom("explicit.dcm", "1.2.840.10008.1.2.1")
dicom("implicit.dcm", "1.2.840.10008.1.2")
dicom("big.dcm", "1.2.840.10008.1.2.2")

# Records of segments: all have the same signals (fixed layout), or some of those that the first segment names (variable layout).
def segment(name, signals, count):
    """Writes a segment: signals with their unit, gain and baseline."""
    digital = np.stack([np.round(wave(count, 100) * gain).astype(int) + zero for _, _, gain, zero in signals], axis=1)
    with open(f"{name}.dat", "wb") as file:
        file.write(packed(digital.ravel(), "16"))
    with open(f"{name}.hea", "w") as file:
        file.write(f"{name} {len(signals)} 100 {count}\n")
        for label, unit, gain, zero in signals:
            file.write(f"{name}.dat 16 {gain}({zero})/{unit} 16 0 0 0 0 {label}\n")


def segments(name, signals, parts):
    """Writes the header of a record of segments, and notes what wfdb reads of it as one."""
    count = sum(count for _, count in parts)
    with open(f"{name}.hea", "w") as file:
        file.write(f"{name}/{len(parts)} {len(signals)} 100 {count} 17:05:09 23/11/2026\n")
        file.writelines(f"{part} {count}\n" for part, count in parts)
    record = wfdb.rdrecord(name)
    assert record.sig_name == [label for label, _, _ in signals] and record.units == [unit for _, unit, _ in signals]
    note(
        f"{name}.hea",
        [(channel, unit, 100, START_SECONDS, record.p_signal[:, index]) for index, (_, unit, channel) in enumerate(signals)],
    )


MLII, ABP, RESP = ("MLII", "mV", "ecg.mlii"), ("ABP", "mmHg", "signal.abp"), ("RESP", "mV", "signal.resp")
segment("fixed_1", [("MLII", "mV", 1000, 0), ("ABP", "mmHg", 500, 7)], 40)
segment("fixed_2", [("MLII", "mV", 800, -3), ("ABP", "mmHg", 500, 0)], 30)
segments("fixed", [MLII, ABP], [("fixed_1", 40), ("fixed_2", 30)])
with open("variable_layout.hea", "w") as file:
    file.write("variable_layout 3 100 0\n")
    file.writelines(f"~ 0 200/{unit} 12 0 0 0 0 {label}\n" for label, unit, _ in [MLII, ABP, RESP])
segment("variable_1", [("MLII", "mV", 1000, 0), ("ABP", "mmHg", 500, 7)], 40)
segment("variable_2", [("RESP", "mV", 900, 2), ("ABP", "mmHg", 400, 0)], 25)
segment("variable_3", [("MLII", "mV", 1000, 5)], 20)
segments(
    "variable", [MLII, ABP, RESP],
    [("variable_layout", 0), ("variable_1", 40), ("~", 15), ("variable_2", 25), ("variable_3", 20)],
)

# Exports of phone apps, deflated.
def export(name, files, large=False):
    """`large`: with a list of files of ZIP64, as archives of many or large files have one."""
    zipfile.ZIP_FILECOUNT_LIMIT = 0 if large else 0xFFFF
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, lines in files.items():
            archive.writestr(zipfile.ZipInfo(path, (2023, 10, 28, 13, 52, 24)), "\n".join(lines) + "\n", zipfile.ZIP_DEFLATED)


BEGIN = 1698501144401773000
export("sensor-logger.zip", {
    "Accelerometer.csv": ["time,seconds_elapsed,z,y,x"] + [
        f"{BEGIN + i * 10016000},{i * 0.010016},{9.75 + i % 3},{i / -4},{i / 8}" for i in range(500)],
    "Location.csv": ["time,seconds_elapsed,horizontalAccuracy,speed,longitude,latitude"] + [
        f"{BEGIN + i * 1000000000},{i},{5.5},{-1 if i == 0 else 1.25},{-120.75},{35.25 + i / 64}" for i in range(5)],
    "Annotation.csv": ["time,seconds_elapsed,text,millisecond_press_duration", '1698501146000000000,1.598227,"bridge, left",12'],
    "Metadata.csv": ["version,device name,recording epoch time,recording time,recording timezone,platform,appVersion",
                     "3,phone,1698501144401,2023-10-28_13-52-24,Europe/Berlin,ios,1.19"],
})
export("phyphox.zip", {
    "Linear Acceleration.csv": ['"Time (s)","Linear Acceleration x (m/s^2)","Linear Acceleration y (m/s^2)"'] + [
        f"{i / 100:.9E},{i / 2:.9E},{i / -4:.9E}" for i in range(400)],
    "Gyroscope.csv": ['"Time (s)","Gyroscope x (rad/s)"'] + [f"{i / 25:.9E},{i / 8:.9E}" for i in range(100)],
    "meta/device.csv": ['"property","value"', '"deviceModel","phone"'],
    "meta/time.csv": ['"event","experiment time","system time","system time text"',
                      '"START",0.000000000E0,1.70000000025E9,"2023-11-14 22:13:20.250 UTC"',
                      '"PAUSE",2.000000000E0,1.70000000225E9,"2023-11-14 22:13:22.250 UTC"',
                      '"START",2.000000000E0,1.7000000605E9,"2023-11-14 22:14:20.500 UTC"',
                      '"PAUSE",4.000000000E0,1.7000000625E9,"2023-11-14 22:14:22.500 UTC"'],
})

export("zip64.zip", {"Gyroscope.csv": ["time,seconds_elapsed,z,y,x"] + [f"{BEGIN + i * 20000000},{i / 50},{i / 2},{i / 4},{i / 8}" for i in range(100)]}, large=True)

with open("expected.json", "w") as file:
    json.dump(expected, file, separators=(",", ":"))
