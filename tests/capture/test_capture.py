# SPDX-License-Identifier: MIT
"""The recorder's promises: what it writes, that it changes nothing, and that it never fails.

Run by `python3 test_capture.py`. Without PyTorch the tests that need it are skipped; if the others
pass, the exit status is 77, which CTest shows as skipped.
"""

from __future__ import annotations

import json
import os
import socketserver
import struct
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "resources" / "capture"))

import reinspect_capture as rc  # noqa: E402

torch: Any = rc.torch
needs_torch = unittest.skipIf(torch is None, "PyTorch is not installed")
NODE_KEYS = {"name", "op", "target", "args", "kwargs", "meta"}
META_KEYS = {"val", "source", "source_file", "modules", "original_aten", "only_clone_these_tensors",
             "partitioner_tag"}


class FolderCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Window(socketserver.ThreadingTCPServer):
    """What an open window does: checks the token, takes one capture."""

    allow_reuse_address = True

    def __init__(self, folder: Path, token: str = "secret") -> None:
        super().__init__(("127.0.0.1", 0), WindowHandler)
        self.token, self.server_token, self.received = token, "secret", {}
        self.file = folder / "live.json"
        self.file.touch(0o600)
        self.file.write_text(json.dumps(
            {"protocol": 2, "port": self.server_address[1], "token": "secret"}))
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()


class WindowHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        hello = json.loads(self.rfile.readline())
        if (hello["reinspect"], hello["protocol"]) != ("live", 2):
            return self.answer(ok=False, error="another protocol")
        both = f"{hello['nonce']}:S"
        self.answer(ok=True, nonce="S",
                    proof=rc.live_proof(self.server.server_token, f"server:{both}"))
        line = self.rfile.readline()
        if not line:
            return None
        header = json.loads(line)
        if header["proof"] != rc.live_proof(self.server.token, f"client:{both}"):
            return self.answer(ok=False, error="wrong token")
        self.answer(ok=True)
        self.server.received[header["capture"]] = {
            file["name"]: self.rfile.read(file["bytes"]) for file in header["files"]}
        return self.answer(ok=True)

    def answer(self, **message: Any) -> None:
        self.wfile.write(json.dumps(message).encode() + b"\n")


class LiveTest(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        self.capture = self.folder / "case"
        self.capture.mkdir()
        (self.capture / "before.json").write_bytes(b'{"a": "\xc3\xa9"}\n')
        (self.capture / "k.ptx").write_bytes(b"")

    def window(self, token: str = "secret") -> Window:
        window = Window(self.folder, token)
        self.addCleanup(window.close)
        return window

    def test_every_file_of_a_capture_arrives(self) -> None:
        window = self.window()
        rc.send_live(self.capture, "case", window.file)
        self.assertEqual(window.received,
                         {"case": {"before.json": b'{"a": "\xc3\xa9"}\n', "k.ptx": b""}})

    def test_the_window_may_refuse(self) -> None:
        window = self.window("another")
        with self.assertRaisesRegex(rc.LiveError, "refused: wrong token"):
            rc.send_live(self.capture, "case", window.file)
        self.assertEqual(window.received, {})

    def test_nothing_is_sent_to_whoever_took_over_the_port(self) -> None:
        window = self.window()
        window.server_token = "guessed"
        with self.assertRaisesRegex(rc.LiveError, "not the window"):
            rc.send_live(self.capture, "case", window.file)
        self.assertEqual(window.received, {})

    @unittest.skipIf(os.name == "nt", "file modes are POSIX's")
    def test_a_file_that_others_can_read_is_not_trusted(self) -> None:
        window = self.window()
        window.file.chmod(0o644)
        with self.assertRaisesRegex(rc.LiveError, "closed to everyone else"):
            rc.send_live(self.capture, "case", window.file)
        self.assertEqual(window.received, {})

    def test_without_a_window_it_says_so(self) -> None:
        with self.assertRaisesRegex(rc.LiveError, "no window is open"):
            rc.send_live(self.capture, "case", self.folder / "absent.json")

    def test_files_that_name_no_window_are_refused(self) -> None:
        for text, why in (("[]", "another protocol"), ('{"protocol": 1}', "another protocol"),
                          ('{"protocol": 2, "port": true, "token": "t"}', "no port and token"),
                          ('{"protocol": 2, "port": 70000, "token": "t"}', "no port and token"),
                          ('{"protocol": 2, "port": 80, "token": ""}', "no port and token"),
                          ("{", "cannot be read")):
            with self.subTest(text):
                file = self.folder / "live.json"
                file.touch(0o600)
                file.write_text(text)
                with self.assertRaisesRegex(rc.LiveError, why):
                    rc.live_endpoint(file)

    def test_a_window_that_is_gone_is_an_error_of_ours(self) -> None:
        window = Window(self.folder)
        window.close()
        with self.assertRaisesRegex(rc.LiveError, "does not answer"):
            rc.send_live(self.capture, "case", window.file)


class TensorFileTest(FolderCase):
    def test_the_file_is_safetensors(self) -> None:
        path = self.folder / "data.safetensors"
        rc.write_safetensors(path, {
            "input.x": rc.StoredTensor("float32", (2,), struct.pack("<2f", 1, 2)),
            "input.n": rc.StoredTensor("int64", (), struct.pack("<q", 7))})
        content = path.read_bytes()
        length = struct.unpack("<Q", content[:8])[0]
        header = json.loads(content[8:8 + length])
        self.assertEqual(length % 8, 0)
        self.assertEqual(header["input.x"], {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]})
        self.assertEqual(header["input.n"], {"dtype": "I64", "shape": [], "data_offsets": [8, 16]})
        self.assertEqual(struct.unpack("<2fq", content[8 + length:]), (1.0, 2.0, 7))


class BodyTest(unittest.TestCase):
    def test_what_differs_between_calls_becomes_their_argument(self) -> None:
        first, second = {"args": [{"$node": "x"}, 0.5]}, {"args": [{"$node": "x"}, 2.0]}
        self.assertEqual(rc.unified(first, second, {"s": 0.5}, {"s": 2.0}),
                         {"args": [{"$node": "x"}, {"$node": "s"}]})

    def test_what_no_argument_explains_is_no_body(self) -> None:
        for first, second in (([1, 2], [1]), ({"a": 1}, {"b": 1}), (0.25, 4.0), (1, 1.0)):
            with self.subTest(first=first, second=second):
                with self.assertRaises(ValueError):
                    rc.unified(first, second, {"s": 0.5}, {"s": 2.0})


class SourceTest(unittest.TestCase):
    def test_the_last_frame_is_the_users_line(self) -> None:
        trace = ('  File "a.py", line 3, in f\n    g(x)\n'
                 '  File "b.py", line 9, in g\n    y[1:] = x\n    ~~^^^^\n')
        self.assertEqual(rc.source_of(trace), {"source_file": "b.py:9 in g", "source": "y[1:] = x"})
        self.assertEqual(rc.source_of(None), {})


def update(x: Any, rows: Any, values: Any) -> Any:
    x[rows] = values
    return x.sum()


def arguments(device: str = "cpu") -> list[Any]:
    return [torch.zeros(8, 4, device=device), torch.tensor([1, 5], device=device),
            torch.ones(2, 4, device=device)]


def custom_operator(name: str, function: Any, **types: Any) -> Any:
    """One that writes x. PyTorch 2.4 reads no annotations that are texts, as they are here."""
    function.__annotations__ = {**types, "return": None}
    return torch.library.custom_op(f"reinspect_test::{name}", mutates_args=("x",))(function)


@needs_torch
class RecordTest(FolderCase):
    def setUp(self) -> None:
        super().setUp()
        torch.compiler.reset()

    def recorded(self, function: Any, *args: Any,
                 **options: Any) -> tuple[Any, list[dict[str, Any]]]:
        with rc.record(self.folder, **options) as recorder:
            result = torch.compile(function, fullgraph=True)(*args)
        return result, [self.stages(capture.folder) for capture in recorder.captures]

    def stages(self, folder: Path) -> dict[str, Any]:
        return {file.stem: json.loads(file.read_text()) for file in folder.glob("*.json")}

    def test_a_graph_is_recorded_around_the_pass(self) -> None:
        args = arguments()
        result, captures = self.recorded(update, *args, name="rows")
        self.assertEqual((result.item(), args[0].sum().item()), (8.0, 8.0))
        self.assertEqual(len(captures), 1)
        for stage in ("before", "canonical", "core_after", "after"):
            self.check_document(captures[0][stage], stage)
        before = {node["name"]: node for node in captures[0]["before"]["graph"]["nodes"]}
        self.assertEqual(before["index_put"]["target"], "aten.index_put.default")
        self.assertEqual(before["index_put"]["meta"]["source"], "x[rows] = values")
        self.assertIn("test_capture.py:", before["index_put"]["meta"]["source_file"])
        self.assertEqual(before["arg0_1"]["meta"]["val"], before["arg0_1"]["meta"]["val"] | {
            "kind": "tensor", "dtype": "float32", "shape": [8, 4], "stride": [4, 1], "offset": 0,
            "device": "cpu", "storage_bytes": 128})
        self.assertEqual(before["copy_"]["meta"]["val"]["storage"],
                         before["arg0_1"]["meta"]["val"]["storage"])

    def check_document(self, document: dict[str, Any], stage: str) -> None:
        self.assertEqual((document["format"], document["version"], document["stage"]),
                         ("reinspect-graph", 1, stage))
        self.assertEqual(document["producer"]["torch"], torch.__version__)
        for node in document["graph"]["nodes"]:
            self.assertLessEqual(node.keys(), NODE_KEYS)
            self.assertLessEqual(node.get("meta", {}).keys(), META_KEYS)

    def test_the_decisions_are_the_passs_own(self) -> None:
        _, captures = self.recorded(update, *arguments())
        decisions = captures[0]["expect"]["decisions"]
        self.assertEqual(decisions["removed"], ["copy_"])
        self.assertEqual(decisions["retargeted"],
                         {"index_put": ["aten.index_put.default", "aten.index_put_.default"]})

    def data(self) -> dict[str, list[float]]:
        """What data.safetensors holds, as numbers; only of the types that are written here."""
        content = (self.folder / "graph.0" / "data.safetensors").read_bytes()
        length = struct.unpack("<Q", content[:8])[0]
        made = {}
        for name, entry in json.loads(content[8:8 + length]).items():
            start, end = (8 + length + place for place in entry["data_offsets"])
            kind = {"F32": "f", "I64": "q"}[entry["dtype"]]
            made[name] = list(struct.unpack(
                f"<{(end - start) // struct.calcsize(kind)}{kind}", content[start:end]))
        return made

    def test_inputs_are_those_of_before_the_call_and_results_are_there(self) -> None:
        args = arguments()
        _, captures = self.recorded(update, *args, inputs=True)
        held = self.data()
        written = [1.0 if row in (1, 5) else 0.0 for row in range(8) for _ in range(4)]
        self.assertEqual(held, {"input.arg0_1": [0.0] * 32, "input.arg1_1": [1, 5],
                                "input.arg2_1": [1.0] * 8, "output.0": [8.0],
                                "mutated.arg0_1": written})
        self.assertEqual(args[0].flatten().tolist(), written)  # by the program, once
        self.assertEqual(captures[0]["expect"]["results"], "node by node")

    def test_inputs_that_share_memory_share_it_in_the_copies(self) -> None:
        base = torch.zeros(6)
        first, second = rc.copies_of([base[:4], base[2:].as_strided((2,), (2,), 2)])
        first[2] = 7
        self.assertEqual((second.tolist(), second.stride(), base.sum().item()),
                         ([7.0, 0.0], (2,), 0))

    def test_random_numbers_are_drawn_by_the_program_alone(self) -> None:
        def function(x: Any) -> Any:
            return x + torch.rand(4)

        torch.manual_seed(3)
        expected = torch.compile(function)(torch.zeros(4)).tolist()
        torch.compiler.reset()
        torch.manual_seed(3)
        result, captures = self.recorded(function, torch.zeros(4), inputs=True)
        self.assertEqual(result.tolist(), expected)
        self.assertEqual(captures[0]["expect"]["results"], "none: it draws random numbers")
        self.assertNotIn("output.0", self.data())

    def test_the_users_own_operators_are_not_called_again(self) -> None:
        calls = []

        def count_(x):
            calls.append(x.shape)
            x.add_(1)

        count_ = custom_operator("count_", count_, x=torch.Tensor)

        def function(x: Any) -> Any:
            count_(x)
            return x * 2

        result, captures = self.recorded(function, torch.zeros(2), inputs=True, bodies=False)
        self.assertEqual((result.tolist(), len(calls)), ([2.0, 2.0], 1))
        self.assertRegex(captures[0]["expect"]["results"], "^compiled: ")
        self.assertEqual(self.data(), {"input.arg0_1": [0.0, 0.0], "output.0": [2.0, 2.0],
                                       "mutated.arg0_1": [1.0, 1.0]})

    def test_constants_are_written_without_being_asked_for(self) -> None:
        table = torch.tensor([2.0, 3.0])
        _, captures = self.recorded(lambda x: x * torch.tensor([2.0, 3.0]) + table,
                                    torch.ones(2))
        graph = captures[0]["before"]["graph"]
        for target in graph.get("attributes", {}):
            self.assertEqual(self.data()[f"attribute.{target}"], [2.0, 3.0])
        self.assertIn("_tensor_constant0", graph.get("attributes", {}))

    def test_inputs_above_the_limit_are_left_out_with_a_warning(self) -> None:
        with self.assertWarnsRegex(rc.CaptureWarning, "over the limit of 10"):
            self.recorded(update, *arguments(), inputs=True, input_limit=10)
        self.assertFalse((self.folder / "graph.0" / "data.safetensors").exists())

    def test_sizes_are_symbols_with_hints(self) -> None:
        with rc.record(self.folder):
            torch.compile(lambda x: x.cos().t() + 1, dynamic=True)(torch.ones(3, 5))
        nodes = self.stages(self.folder / "graph.0")["before"]["graph"]["nodes"]
        shapes = [n["meta"]["val"]["shape"] for n in nodes if n["name"] == "cos"]
        self.assertEqual([[size["hint"] for size in shape] for shape in shapes], [[3, 5]])

    def test_a_custom_operator_is_written_with_its_schema_and_body(self) -> None:
        def scale_(x, factor):
            x.mul_(factor)

        scale_ = custom_operator("scale_", scale_, x=torch.Tensor, factor=float)

        def function(x: Any) -> Any:
            work = x.cos()
            scale_(work, 3.0)
            return work

        result, captures = self.recorded(function, torch.zeros(4))
        self.assertEqual(result.tolist(), [3.0] * 4)
        operator = captures[0]["before"]["operators"]["reinspect_test.scale_.default"]
        self.assertEqual(operator["schema"],
                         "reinspect_test::scale_(Tensor(a0!) x, float factor) -> ()")
        nodes = {node["name"]: node for node in operator["body"]["nodes"]}
        self.assertEqual(list(nodes)[:2], ["x", "factor"])
        self.assertEqual(nodes["mul"]["args"], [{"$node": "x"}, {"$node": "factor"}])
        self.assertEqual(nodes["copy_"]["args"], [{"$node": "x"}, {"$node": "mul"}])

    def test_training_gives_a_forward_and_a_backward_graph(self) -> None:
        x = torch.ones(4, requires_grad=True)
        with rc.record(self.folder) as recorder:
            torch.compile(lambda v: (v.sin() * v).sum())(x).backward()
        phases = [self.stages(c.folder)["expect"]["phase"] for c in recorder.captures]
        self.assertEqual(phases, ["forward", "backward"])
        self.assertIsNotNone(x.grad)

    def test_a_failure_of_the_recorder_is_a_warning(self) -> None:
        original = rc.graph_json
        self.addCleanup(setattr, rc, "graph_json", original)
        rc.graph_json = lambda *_: 1 / 0
        args = arguments()
        with self.assertWarnsRegex(rc.CaptureWarning, "ZeroDivisionError"):
            result, _ = self.recorded(update, *args)
        self.assertEqual((result.item(), args[0].sum().item()), (8.0, 8.0))

    def test_also_where_warnings_are_errors(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error", rc.CaptureWarning)
            with rc.record(self.folder):
                pass  # nothing compiled: a warning
            result, _ = self.recorded(update, *arguments(), inputs=True, input_limit=10)
        self.assertEqual(result.item(), 8.0)

    def test_a_folder_that_cannot_be_made_is_a_warning(self) -> None:
        (self.folder / "file").write_text("")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with rc.record(self.folder / "file"):
                result = torch.compile(update)(*arguments())
        self.assertEqual(result.item(), 8.0)
        self.assertTrue(any(issubclass(w.category, rc.CaptureWarning) for w in caught))

    def test_afterwards_everything_is_as_before(self) -> None:
        import torch._inductor.config as config
        from torch._inductor.fx_passes import post_grad, reinplace
        kind = rc.compiled_graph_class()

        def held() -> tuple[Any, ...]:
            core = getattr(reinplace, "reinplace_inplaceable_ops_core", None)
            return (post_grad.reinplace_inplaceable_ops, getattr(reinplace, "log", None),
                    config.fx_graph_cache, core, kind.__call__, kind.__init__)

        before = held()
        with self.assertRaises(ZeroDivisionError):
            with rc.record(self.folder, inputs=True):
                self.assertNotEqual(held()[0], before[0])
                1 / 0
        self.assertEqual(held(), before)

    def test_finished_captures_go_to_the_window(self) -> None:
        window = Window(self.folder)
        self.addCleanup(window.close)
        os.environ["REINSPECT_LIVE_FILE"] = str(window.file)
        self.addCleanup(os.environ.pop, "REINSPECT_LIVE_FILE")
        for inputs in (False, True):
            with self.subTest(inputs=inputs):
                torch.compiler.reset()
                window.received.clear()
                _, captures = self.recorded(update, *arguments(), live=True, inputs=inputs)
                self.assertEqual(list(window.received), ["graph.0"])
                files = window.received["graph.0"]
                self.assertEqual(json.loads(files["before.json"]), captures[0]["before"])
                self.assertEqual("data.safetensors" in files, inputs)

    def test_no_window_is_a_warning(self) -> None:
        os.environ["REINSPECT_LIVE_FILE"] = str(self.folder / "absent.json")
        self.addCleanup(os.environ.pop, "REINSPECT_LIVE_FILE")
        with self.assertWarnsRegex(rc.CaptureWarning, "no window is open"):
            result, _ = self.recorded(update, *arguments(), live=True)
        self.assertEqual(result.item(), 8.0)

    @unittest.skipUnless(torch is not None and torch.cuda.is_available(), "needs a GPU")
    def test_a_triton_kernel_is_written_with_its_code(self) -> None:
        import runpy
        program = ROOT / "samples" / "programs" / "triton_into_input.py"
        with rc.record(self.folder):
            runpy.run_path(str(program), run_name="__main__")
        kernel = self.stages(self.folder / "graph.0")["before"]["triton"]["kernels"][0]
        self.assertEqual([p["constexpr"] for p in kernel["params"]], [False, False, False, True])
        self.assertEqual(kernel["variants"][0]["signature"], {
            "values": "*fp32", "factor": "fp32", "n": "i32", "BLOCK": "constexpr"})
        self.assertEqual(kernel["variants"][0]["constants"], {"(3,)": 64})
        ptx = (self.folder / "graph.0" / kernel["variants"][0]["asm"]["ptx"]).read_text()
        self.assertIn(".entry scale_kernel", ptx)


@unittest.skipIf(torch is not None, "PyTorch is installed")
class WithoutTorchTest(FolderCase):
    def test_the_program_runs_and_is_told(self) -> None:
        with self.assertWarnsRegex(rc.CaptureWarning, "PyTorch is not installed"):
            with rc.record(self.folder):
                done = True
        self.assertTrue(done)


if __name__ == "__main__":
    passed = unittest.main(verbosity=2, exit=False).result.wasSuccessful()
    if torch is None:
        print("PyTorch is not installed: only the parts that do without it were tested.")
    sys.exit(1 if not passed else 77 if torch is None else 0)
