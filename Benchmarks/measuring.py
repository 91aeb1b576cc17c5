"""What the benchmarks share: measuring programs side by side, tables, and where the figures go."""
import os, shutil, statistics, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAYREEL = ".build/release/wayreel"


def measured(command):
    """Runs a command; returns wall seconds, processor seconds and peak megabytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: failed:\n{message.decode(errors='replace')}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def interleaved(commands, rounds):
    """Medians of (wall, cpu, peak) by name; the first round warms the caches and is not counted."""
    figures = {name: [] for name in commands}
    for round in range(rounds + 1):
        for name, command in commands.items():
            figure = measured(command)
            if round:
                figures[name].append(figure)
    return {name: [statistics.median(column) for column in zip(*runs)] for name, runs in figures.items()}


def table(header, rows):
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    line = lambda cells: "| " + " | ".join(str(cell).ljust(width) for cell, width in zip(cells, widths)) + " |"
    return "\n".join([line(header), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows)])


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown processor")
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {time.strftime('%Y-%m-%d')}"


def publish(name, figures):
    """Writes Benchmarks/NAME.md, and the same between the markers of that name in the README."""
    text = f"Measured on: {machine()}. Made by `make bench-{name}`.\n\n{figures}"
    with open(f"Benchmarks/{name}.md", "w") as file:
        file.write(text)
    begin, end = f"<!-- {name} figures begin: written by make bench-{name} -->\n", f"<!-- {name} figures end -->"
    with open("README.md") as file:
        before, rest = file.read().split(begin)
    with open("README.md", "w") as file:
        file.write(f"{before}{begin}{text}{end}{rest.split(end)[1]}")


def build(product):
    """Builds an executable of the package as `make build` does and returns its path."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return f".build/release/{product}"
