# What a newcomer runs. Every target does its own set-up on a Debian or Ubuntu machine with a Swift toolchain.

swift_sources = Package.swift Sources Tests Filters Benchmarks Fuzz
binary = .build/release/wayreel

# pkg-config's answer for Pango without its libraries: they are loaded when something is drawn, and runs that draw nothing start in
# half the time. A plain `swift build` links them, which works as well.
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)

.PHONY: build demo test test-browser lint bench bench-captures bench-levels bench-transcode fuzz clean

build:
	scripts/packages
	scripts/pango-headers .build/pkgconfig
	swift build -c release --product wayreel --static-swift-stdlib

# Prepares the samples into ./demo-output and tells what it made, in what time and memory.
demo: build
	scripts/demo $(binary)

# In release: the kernels are hundreds of times slower unoptimised.
test:
	scripts/packages test
	scripts/pango-headers .build/pkgconfig
	swift test -c release

# Plays an MP4 file, HLS and a poster in headless Chromium.
test-browser: build
	scripts/packages browser
	scripts/test-browser $(binary)

lint:
	scripts/packages
	scripts/pango-headers .build/pkgconfig
	swift format lint --strict --recursive $(swift_sources)
	swift build --build-tests --explicit-target-dependency-import-check error

# Compares speed, memory and quality with the codecs' floor and with the peers, and writes Benchmarks/*.md and the README's tables.
bench: bench-captures bench-levels bench-transcode

bench-captures bench-levels bench-transcode: bench-%: build
	scripts/packages bench
	Benchmarks/$*

# Feeds damaged pictures to the decoders for SECONDS.
fuzz: SECONDS = 60
fuzz:
	scripts/packages
	scripts/fuzz $(SECONDS)

clean:
	rm -rf .build demo-output
