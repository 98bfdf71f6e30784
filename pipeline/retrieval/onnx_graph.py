"""MiniLM's forward pass as one ONNX graph, built straight from its weights.

Source: the BERT encoder (Devlin et al. 2019) as all-MiniLM-L6-v2 configures it, followed by the mean
over tokens and L2 normalisation that its sentence-transformers modules name. Building the graph by
hand needs neither torch nor an exporter, and leaves out what this project never uses: padding (every
batch holds texts of one length, see ``onnx_runtime``), token types, and the pooler.

Shapes: input ``ids`` int32 [texts, tokens]; output ``vectors`` float32 [texts, 384], unit rows.
``com.microsoft`` operators are onnxruntime's fused kernels of the same arithmetic in fp32.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import onnx

OPSET = 20
#: Raised whenever the graph changes, so that a cached file of an older graph is never used.
GRAPH_VERSION = 1


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Every tensor of a safetensors file as a float32 array over the mapped file."""
    data = np.memmap(path, mode="r", dtype=np.uint8)
    header_size = int(data[:8].view("<u8")[0])
    header = json.loads(data[8 : 8 + header_size].tobytes())
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") != "F32":  # the metadata, and position ids that the graph does not need
            continue
        start, end = (8 + header_size + offset for offset in entry["data_offsets"])
        tensors[name] = data[start:end].view("<f4").reshape(entry["shape"])
    return tensors


def build(weights: dict[str, np.ndarray], heads: int, layers: int, epsilon: float) -> onnx.ModelProto:
    """The graph as an ONNX model; raises ``KeyError`` if a weight is missing."""
    graph = _Graph(weights, heads, epsilon)
    hidden = graph.embeddings()
    for layer in range(layers):
        hidden = graph.layer(hidden, f"encoder.layer.{layer}.")
    graph.pool(hidden)
    return graph.model()


class _Graph:
    """Nodes and constants as they are added; a method adds one block and returns its output's name."""

    def __init__(self, weights: dict[str, np.ndarray], heads: int, epsilon: float) -> None:
        self.weights, self.heads, self.epsilon = weights, heads, epsilon
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, op: str, inputs: list[str], output: str, fused: bool = False, **attributes: object) -> str:
        from onnx import helper

        domain = "com.microsoft" if fused else ""
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def linear(self, hidden: str, name: str) -> str:
        """``hidden @ weight.T``; the bias is left to the fused node that follows."""
        matrix = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].T)
        return self.node("MatMul", [hidden, matrix], f"{name}.out")

    def embeddings(self) -> str:
        """Word plus position plus (the one) token type, normalised."""
        table = self.weights["embeddings.position_embeddings.weight"]
        positions = self.constant("positions", table + self.weights["embeddings.token_type_embeddings.weight"][0])
        words = self.node("Gather", [self.weight("embeddings.word_embeddings.weight"), "ids"], "words")
        length = self.node("Shape", ["ids"], "length", start=1, end=2)
        zero = self.constant("zero", np.array([0], dtype=np.int64))
        used = self.node("Slice", [positions, zero, length, zero], "used_positions")
        summed = self.node("Add", [words, used], "summed")
        norm = "embeddings.LayerNorm"
        scale, shift = self.weight(f"{norm}.weight"), self.weight(f"{norm}.bias")
        return self.node("LayerNormalization", [summed, scale, shift], norm, axis=-1, epsilon=self.epsilon)

    def add_and_norm(self, hidden: str, skip: str, block: str) -> str:
        norm = f"{block}.LayerNorm"
        inputs = [hidden, skip, self.weight(f"{norm}.weight"), self.weight(f"{norm}.bias")]
        inputs.append(self.weight(f"{block}.dense.bias"))
        return self.node("SkipLayerNormalization", inputs, norm, fused=True, epsilon=self.epsilon)

    def layer(self, hidden: str, prefix: str) -> str:
        parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        projected = [self.linear(hidden, part) for part in parts]
        bias = np.concatenate([self.weights[f"{part}.bias"] for part in parts])
        inputs = [*projected, self.constant(f"{prefix}qkv.bias", bias)]
        mixed = self.node("MultiHeadAttention", inputs, f"{prefix}mixed", fused=True, num_heads=self.heads)
        attended = self.linear(mixed, f"{prefix}attention.output.dense")
        hidden = self.add_and_norm(attended, hidden, f"{prefix}attention.output")
        wide = self.linear(hidden, f"{prefix}intermediate.dense")
        bias = self.weight(f"{prefix}intermediate.dense.bias")
        active = self.node("BiasGelu", [wide, bias], f"{prefix}active", fused=True)
        return self.add_and_norm(self.linear(active, f"{prefix}output.dense"), hidden, f"{prefix}output")

    def pool(self, hidden: str) -> None:
        """The mean over tokens, as a product with ones: of a unit row only the direction counts, and
        ReduceMean would sum in another order for one text than for several."""
        length = self.node("Shape", [hidden], "token_count", start=1, end=2)
        one = self.constant("one", np.array([1], dtype=np.int64))
        shape = self.node("Concat", [one, length], "ones_shape", axis=0)
        ones = self.node("ConstantOfShape", [shape], "ones", value=_scalar(1.0))
        total = self.node("MatMul", [ones, hidden], "total")
        flat = self.node("Squeeze", [total, one], "flat")
        self.node("LpNormalization", [flat], "vectors", axis=-1, p=2)

    def model(self) -> onnx.ModelProto:
        import onnx
        from onnx import helper

        dim = self.weights["embeddings.word_embeddings.weight"].shape[1]
        ids = helper.make_tensor_value_info("ids", onnx.TensorProto.INT32, ["texts", "tokens"])
        vectors = helper.make_tensor_value_info("vectors", onnx.TensorProto.FLOAT, ["texts", dim])
        graph = helper.make_graph(self.nodes, "minilm", [ids], [vectors], self.constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def _scalar(value: float) -> onnx.TensorProto:
    from onnx import numpy_helper

    return numpy_helper.from_array(np.array([value], dtype=np.float32))
