# SPDX-License-Identifier: MIT
"""What runs on a GPU are measured by: writes RESULTS.md.

    python3 tests/gpu/measure.py CLI CASES --capture TOOL [--tests build/tests/tst_cuda]
        [--parts corpus,operators,sanitizer,tf32,speed,programs] [--out RESULTS.md [--append]]

CASES is a folder of captures with before.json, data.safetensors and expect.json (what PyTorch computed, and the
memory it measured). Needs PyTorch with CUDA beside the module reinspect-cuda.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKERS = max(2, (os.cpu_count() or 2) // 2)
STAGES = ("before", "final", "baseline")


def run(cli, case, *extra, seconds=600):
    """Exit code, the JSON that was printed, and what was said on stderr."""
    command = [cli, "run", str(case / "before.json"), "--json", *extra]
    if (case / "data.safetensors").exists():
        command += ["--inputs", str(case / "data.safetensors")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return 124, {}, f"more than {seconds} s"
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except json.JSONDecodeError:
        return done.returncode, {}, done.stderr


def each(work, cases):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(zip(cases, pool.map(work, cases)))


class Report:
    """Says each line at once, so that a run which is cut short leaves what it found."""

    def __init__(self, path, goes_on):
        self.file = path.open("a" if goes_on else "w") if path else None

    def say(self, line=""):
        print(line, flush=True)
        if self.file:
            print(line, file=self.file, flush=True)

    def table(self, head, rows):
        self.say("| " + " | ".join(head) + " |")
        self.say("|" + "---|" * len(head))
        for row in rows:
            self.say("| " + " | ".join(str(cell) for cell in row) + " |")
        self.say()


def corpus(report, cli, cases):
    """Everything computed there: against PyTorch's results, against the host, memory against PyTorch's."""
    found = each(lambda case: run(cli, case, "--backend", "cuda", "--compare", "--against-cpu"), cases)
    not_run, differs, host_differs, only_there, verdicts = [], [], [], [], []
    memory = {stage: [0, 0, 0] for stage in STAGES}  # exact, within 512 an allocation, beyond
    own_count = [0, 0]
    compared = [0, 0]  # on the host, on the device
    on_host = {}
    kernels = 0
    for case, (code, answer, said) in found:
        before = answer.get("runs", {}).get("before", {})
        if not before.get("ran"):
            not_run.append((case.name, (said.strip().splitlines() or ["?"])[-1].removeprefix(f"{case}/before.json: ")[:160]))
            continue
        expect = json.loads((case / "expect.json").read_text())
        reference = answer.get("reference")
        if reference and not reference["equal"]:
            differs.append(case.name)
        host = answer.get("host")
        if not host:
            only_there.append(case.name)
        elif not host["equal"]:
            host_differs.append(case.name)
        if "triton_kernel_wrapper" in (case / "before.json").read_text():
            kernels += 1
        equal = answer.get("equal")
        expected = all(expect.get("outputs_equal_before_final") or [True]) and all(
            expect.get("inputs_equal_before_final") or [True])
        if equal is not None and equal != expected:
            verdicts.append(case.name)
        for stage in STAGES:
            run_of = answer["runs"].get(stage, {})
            measured = (expect.get("memory") or {}).get(stage)
            if not run_of.get("ran") or not measured:
                continue
            own = run_of["device"]["peak_bytes"]
            own_count[own == run_of["measured_peak_bytes"]] += 1
            apart = abs(own - measured["peak_bytes_over_inputs"])
            allocations = abs(run_of["allocations"] - measured["allocations"])
            memory[stage][0 if apart == 0 else 1 if apart <= 512 * max(allocations, 1) else 2] += 1
        for comparison in answer.get("comparisons", {}).values():
            for result in comparison["results"]:
                compared[result.get("compared_on_device", False)] += 1
        for entry in before["device"]["on_host"]:
            on_host[entry["target"]] = on_host.get(entry["target"], 0) + entry["calls"]
    ran = len(found) - len(not_run)
    report.say(f"## The corpus: {ran} of {len(found)} captures run, {kernels} of them with Triton kernels from their PTX\n")
    report.say(f"- equal to what PyTorch computed, within the tolerances: {ran - len(differs)} of {ran}")
    report.say(f"- equal to the CPU here, within the tolerances: "
               f"{ran - len(host_differs) - len(only_there)} of {ran - len(only_there)} that the CPU runs, too")
    report.say(f"- before against final, verdict as PyTorch's own: {ran - len(verdicts)} of {ran}")
    for title, names in (("differ from PyTorch", differs), ("differ from the CPU", host_differs),
                         ("not run by the CPU", only_there),
                         ("other verdict", verdicts)):
        if names:
            report.say(f"- {title}: {', '.join(names)}")
    for name, why in not_run:
        report.say(f"- not run: {name}: {why}")
    report.say(f"- compared on the device: {compared[1]} of {sum(compared)} results and mutated inputs")
    report.say(f"- peak by CUDA's own count equals the tracker's: {own_count[1]} of {sum(own_count)} runs\n")
    report.say("Peak by CUDA's own count against PyTorch's measured peak:\n")
    report.table(["stage", "exact", "within 512 bytes an allocation", "beyond"],
                 [[stage, *memory[stage]] for stage in STAGES])
    if on_host:
        report.say("Operators without code on the device, run on the host (nodes of `before`): "
                   + ", ".join(f"{name} {calls}" for name, calls in sorted(on_host.items())) + "\n")


def operators(report, tests):
    """Single operators there and on the host: tst_cuda, alone and under compute-sanitizer."""
    report.say("## Operators, one by one: `tst_cuda`\n")
    for tool in (None, "memcheck", "racecheck"):
        command = [str(tests), "-silent"]
        if tool:
            command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", *command,
                       "operatorsRunThereAlone", "samplesAreEqual"]
        begin = time.time()
        done = subprocess.run(command, capture_output=True, text=True, timeout=500)
        lines = done.stdout.splitlines()
        totals = next((line for line in lines if line.startswith("Totals:")), "no totals")
        found = [line for line in lines if line.startswith(("FAIL", "========= Error", "========= Invalid"))]
        report.say(f"- {tool or 'alone'}: {totals.split(', 0 black')[0].removeprefix('Totals: ')}"
                   f"{', clean' if tool and done.returncode == 0 else ''} ({time.time() - begin:.0f} s)")
        for line in found[:20]:
            report.say(f"  - {line[:300]}")
    report.say()


def sanitizer(report, cli, cases):
    report.say("## compute-sanitizer over the corpus, before and after\n")
    for tool in ("memcheck", "racecheck"):
        def check(case, tool=tool):
            command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", cli, "run",
                       str(case / "before.json"), "--inputs", str(case / "data.safetensors"),
                       "--backend", "cuda", "--compare"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            except subprocess.TimeoutExpired:
                return "more than 300 s"
            if done.returncode != 99:
                return ""
            lines = [line for line in done.stdout.splitlines() if line.startswith("=========")]
            return " ".join(lines[1:4])[:400]
        begin = time.time()
        problems = [(case.name, text) for case, text in each(check, cases) if text]
        report.say(f"- {tool}: {len(cases) - len(problems)} of {len(cases)} clean ({time.time() - begin:.0f} s)")
        for name, text in problems:
            report.say(f"  - {name}: {text}")
    report.say()


def programs(report, cli, tool, folder):
    """samples/programs, recorded and run on the inputs they were recorded with."""
    with tempfile.TemporaryDirectory() as made:
        def record(program):
            command = [sys.executable, str(tool), "--out", str(Path(made) / program.stem), "--inputs", str(program)]
            return subprocess.run(command, capture_output=True, text=True, timeout=600)
        recorded = each(record, sorted(folder.glob("*.py")))
        report.say(f"## samples/programs, recorded by reinspect_capture.py: {len(recorded)} programs\n")
        for program, done in recorded:
            if done.returncode != 0:
                report.say(f"- {program.stem} ended with {done.returncode}: {done.stderr.strip()[-200:]}")
        cases = sorted(path.parent for path in Path(made).rglob("before.json"))
        rows = []
        for case, (_, answer, said) in each(lambda case: run(cli, case, "--backend", "cuda", "--compare"), cases):
            before = answer.get("runs", {}).get("before", {})
            reference = answer.get("reference")
            worst = (reference or {}).get("worst") or {}
            rows.append([case.name, before.get("nodes", "?"), answer.get("equal", said.strip()[-120:]),
                         "not recorded" if not reference else "equal" if reference["equal"] else
                         f"{worst.get('name')} differs by {worst.get('max_abs'):.1e} at most",
                         ", ".join(f"{entry['target']} {entry['calls']}"
                                   for entry in before.get("device", {}).get("on_host", []))])
        report.table(["capture", "nodes", "before equals final", "against PyTorch", "run on the host"], rows)


def best_of(work, times):
    import torch
    best = float("inf")
    for _ in range(times):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        work()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - begin)
    return best


PRODUCT = '''
def forward(self, a: "f32[{n}, {n}]", b: "f32[{n}, {n}]"):
    c: "f32[{n}, {n}]" = torch.ops.aten.mm.default(a, b)
    return (c,)
'''


def tf32(report, cli, n=2048):
    """One product of float32 matrices, with and without the switch, against the host's."""
    report.say(f"## A product of float32 matrices, {n} by {n}\n")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "product.fx"
        path.write_text(PRODUCT.format(n=n))
        for switch in ([], ["--tf32"]):
            done = subprocess.run([cli, "run", str(path), "--backend", "cuda", "--against-cpu", "--repeat", "10",
                                   "--json", *switch], capture_output=True, text=True, timeout=600)
            answer = json.loads(done.stdout)
            before = answer["runs"]["before"]
            worst = answer["host"]["worst"] or {}
            rows.append([" ".join(switch) or "full float32", before["device"].get("tf32", False),
                         f"{min(before['repeat_seconds']) * 1e3:.3f}", f"{worst.get('max_abs', 0):.1e}",
                         answer["host"]["equal"]])
    report.table(["switch", "the device says TF32", "ms", "most it differs from the CPU", "within the tolerance"], rows)


def graph_text(answer):
    seconds = answer.get("cuda_graph_seconds")
    return f"{min(seconds) * 1e3:.2f}" if seconds else "-"


def speed(report, cli, case, times=20):
    """Node by node, here and by torch.fx.Interpreter, in the same call. Inputs are drawn."""
    import torch
    from torch_graph import drawn, load
    rows = []
    for stage in ("before", "after"):
        path = case / f"{stage}.json"
        if not path.exists():
            continue
        module, metas = load(path)
        inputs = [drawn(meta) for meta in metas]
        interpreter = torch.fx.Interpreter(module)
        interpreter.run(*inputs)
        theirs = best_of(lambda: interpreter.run(*inputs), times)
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        torch.fx.Interpreter(module).run(*inputs)
        torch_peak = torch.cuda.max_memory_allocated() - before
        del inputs, interpreter
        torch.cuda.empty_cache()
        done = subprocess.run([cli, "run", str(path), "--backend", "cuda", "--json", "--times",
                               "--cuda-graph", "--repeat", str(times)], capture_output=True, text=True, timeout=600)
        answer = json.loads(done.stdout)["runs"]["before"]
        ours = min(answer["repeat_seconds"])
        rows.append((stage, answer, ours, theirs, torch_peak))
    report.table(
        ["graph", "nodes", "ours, ms", "torch.fx.Interpreter, ms", "ratio", "as a CUDA graph, ms", "peak here, bytes",
         "peak of PyTorch, bytes", "copied bytes"],
        [[stage, answer["nodes"], f"{ours * 1e3:.2f}", f"{theirs * 1e3:.2f}",
          f"{ours / theirs:.2f}", graph_text(answer), answer["device"]["peak_bytes"], peak, answer["copied_bytes"]]
         for stage, answer, ours, theirs, peak in rows])
    if len(rows) == 2:
        before, after = rows[0][1], rows[1][1]
        report.say(f"The pass takes away {before['copied_bytes'] - after['copied_bytes']} bytes of copies. As a CUDA graph, where "
                   f"launching costs nothing, {graph_text(before)} ms become {graph_text(after)} ms.\n")
    for stage, answer, *_ in rows:
        nodes = sorted(answer["device"]["nodes"], key=lambda node: -node["seconds"])[:6]
        report.say(f"Slowest nodes of {stage}: " + ", ".join(
            f"{node['node']} {node['seconds'] * 1e6:.0f} us ({node['bytes'] / max(node['seconds'], 1e-9) / 1e9:.0f} GB/s)"
            for node in nodes))
    report.say()


def explain(report):
    report.say("""How to read it: a ratio below 1 is faster than `torch.fx.Interpreter` in the same call; both run one node after the other.
PyTorch's peak of `after` in the last table is larger where `prims.prepare_softmax_online` makes a tensor on its way.
`triton_expand_overlap` writes outside of its storage, within what the allocator rounded it up to: the CPU stops there, a GPU
does not notice. Captures that are not run hold an operator of which the capture has no body. Where a gradient is 0 but for
rounding, as that of a bias which a batch norm takes away again, it differs from PyTorch by what was rounded.""")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--capture", type=Path, help="reinspect_capture.py, to record programs with")
    parser.add_argument("--tests", type=Path, help="the test program tst_cuda")
    parser.add_argument("--parts", default="corpus,operators,sanitizer,tf32,speed,programs")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--append", action="store_true", help="OUT has other parts of the same day's already")
    args = parser.parse_args()
    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    report = Report(args.out, args.append)
    card = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout.strip()
    if not args.append:
        report.say("# Runs on a GPU\n")
        report.say(f"Printed by `tests/gpu/measure.py` on {datetime.date.today()}: {card}, {os.cpu_count()} CPU cores.\n")
    parts = args.parts.split(",")
    cases = sorted(case for case in args.cases.iterdir() if (case / "data.safetensors").exists())
    if "corpus" in parts:
        corpus(report, args.cli, cases)
    if "operators" in parts and args.tests:
        operators(report, args.tests)
    if "sanitizer" in parts:
        sanitizer(report, args.cli, cases)
    if "tf32" in parts:
        tf32(report, args.cli)
    decode = args.cases / "gpt_decode_12l"
    if "speed" in parts and decode.exists():
        report.say("## A 12-layer decoding step of the corpus, node by node\n")
        speed(report, args.cli, decode)
    if "programs" in parts and args.capture:
        programs(report, args.cli, args.capture, here.parent.parent / "samples" / "programs")
    if "speed" in parts and args.capture:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(args.capture), "--out", folder, str(here / "decoder.py")],
                                  capture_output=True, text=True, timeout=900)
            made = sorted(path.parent for path in Path(folder).rglob("before.json"))
            report.say("## A float16 decoder of real size (12 layers, 2048 wide, batch 8, cache 2048), node by node\n")
            if not made:
                report.say(f"could not be recorded: {done.stderr.strip()[-400:]}")
            else:
                speed(report, args.cli, made[0], 10)
    if "speed" in parts:
        explain(report)


if __name__ == "__main__":
    main()
