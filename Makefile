# The usual tasks of development. Each target installs what it needs on a Debian or Ubuntu machine with a Swift
# toolchain.

swift_sources = Package.swift Sources Tests Filters Benchmarks Fuzz
binary = .build/release/wayreel

# These pkg-config files name Pango's headers but not its libraries, which are loaded when something is drawn; runs that
# draw nothing start in half the time. A plain `swift build` links the libraries, which works as well.
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)

# The folder that `make install` installs into; DESTDIR is a staging folder for packages.
PREFIX = /usr/local
installed = $(DESTDIR)$(PREFIX)

.PHONY: build build-inside install docs demo test test-unit test-tsan test-package test-browser lint bench bench-serve bench-tasks bench-inside bench-transcode bench-player bench-streams bench-tiles attack fuzz fuzz-scans fuzz-engines clean

build:
	scripts/packages
	scripts/library-headers .build/pkgconfig
	scripts/static-libraries .build/static
	for program in wayreel wayreel-full; do WAYREEL_STATIC=1 swift build -c release --product $$program || exit 1; done

# Installs the command, the program that it runs for tasks that need a database, manual pages, and completions for bash,
# zsh and fish.
install: build
	scripts/packages install
	rm -rf .build/man
	scripts/man-pages $(binary) .build/man
	install -D -s $(binary) $(installed)/bin/wayreel
	install -D -s $(binary)-full $(installed)/libexec/wayreel/wayreel-full
	install -D -m 644 -t $(installed)/share/man/man1 .build/man/*.1
	scripts/completions $(binary) $(installed)/share

# Builds the documentation of the library into .build/docs; a warning is an error.
docs: build
	scripts/docs .build/release .build/docs

# Prepares the samples into ./demo-output and prints the outputs with their time and memory.
demo: build
	scripts/demo $(binary)

# Tests run in release, because the kernels are hundreds of times slower unoptimised. An import that Package.swift does
# not declare is an error. `make test SUITE=NAME` runs one suite or those of a target, `make test-unit` those that start no
# process: see `scripts/test --help`.
test-unit: kind = --kind unit
test test-unit:
	scripts/packages test
	scripts/library-headers .build/pkgconfig
	scripts/test --meanwhile scripts/references $(kind) $(addprefix --suite ,$(SUITE)) -c release --explicit-target-dependency-import-check error

# Tests concurrent code under ThreadSanitizer.
test-tsan:
	scripts/packages test
	scripts/library-headers .build/pkgconfig
	scripts/test-tsan

# Builds and runs a separate package that depends on the library.
test-package:
	scripts/packages
	scripts/test-package

# Plays an MP4 file, HLS and a poster in headless Chromium, and the sample story in the web player.
test-browser: build
	scripts/packages browser
	scripts/test-browser $(binary)
	scripts/test-player $(binary)

lint:
	swift format lint --strict --recursive $(swift_sources)

# Measures all tasks in comparison with other programs, and figures that cannot be measured from outside a process;
# writes Documentation/benchmarks.md.
bench: bench-tasks bench-inside bench-serve bench-streams

bench-tasks: build
	scripts/packages bench
	$(binary) bench all --peers --keep .build/bench --markdown Documentation/benchmarks.md

# Measures the service in comparison with thumbor and nginx.
bench-serve: build
	scripts/packages bench
	mkdir -p .build/bench-serve
	scripts/bench-serve $(binary) .build/bench-serve

# Compiles the program that measures from inside a process, which no other build does.
build-inside:
	scripts/packages
	scripts/library-headers .build/pkgconfig
	scripts/static-libraries .build/static
	WAYREEL_STATIC=1 WAYREEL_BENCHMARKS=1 swift build -c release --product InsideBench

bench-inside: build
	scripts/packages bench
	Benchmarks/inside

# Attacks the service in a control group of the unit's size; prints its memory and the latency of /health.
attack: build
	scripts/packages test
	scripts/attack-service $(binary)

# Prints the figures of videos only, in comparison with ffmpeg: time and memory, then similarity and bytes.
bench-transcode: build
	scripts/packages bench
	$(binary) bench transcode-30s hls-30s-veryfast hls-30s-medium hls-30s-veryfast-busy hls-30s-720p-veryfast-busy remux transcode-batch --peers --keep .build/bench
	Benchmarks/inside videos

# Prints the costs of the web player: start-up time, CPU and memory of each view, and bytes.
bench-player: build
	scripts/packages browser
	scripts/bench-player $(binary)

# Prints the delays and costs of live strip charts in Chromium, and those of plots in comparison with gnuplot and matplotlib.
bench-streams: build
	scripts/packages browser plots
	scripts/bench-streams $(binary)

# Prints the time, memory and bytes of base maps in comparison with tilemaker, and the memory that a large extract takes.
bench-tiles: build
	scripts/packages bench
	scripts/bench-tiles $(binary)

# Fuzzes each reader of untrusted files for SECONDS, and JPEG scans beside libjpeg for about a minute more.
fuzz: SECONDS = 60
fuzz:
	scripts/packages
	scripts/fuzz $(SECONDS)
	scripts/fuzz-scans 2000000

# Damages MUTATIONS JPEG scans and compares what is accepted with libjpeg; SEED repeats a run.
fuzz-scans: MUTATIONS = 200000
fuzz-scans:
	scripts/packages
	scripts/fuzz-scans $(MUTATIONS) "$(SEED)" "$(SANITIZERS)"

# Plays CASES random stories and walks with Swift's engine and the player's page's, and compares them; SEED repeats a run.
fuzz-engines: CASES = 10000
fuzz-engines: build
	scripts/packages browser
	scripts/fuzz-engines $(binary) --cases $(CASES) $(if $(SEED),--seed $(SEED))

clean:
	rm -rf .build demo-output
