"""Objects that reach outside the program: loggers, files, generators, progress bars, metric writers; and, by name,
what a call of a library function or of a method of such an object does.

Source: the standard library of Python 3.12, NumPy 2.5.5, tqdm 4.67; absl, loguru, structlog, wandb, mlflow,
tensorboardX, flax.metrics and clu by their documentation. The tests ask what is installed.
"""

from __future__ import annotations

from typing import Literal

from jaxlint.knowledge import host_effects as effects

EffectKind = Literal[
    "clock", "random", "seed", "log", "metrics", "write", "dump", "rows", "open", "progress", "process", "ask"
]

#: Calls that make such an object -> the name of its class, as in METHODS.
MAKERS: dict[str, str] = {
    "logging.getLogger": "logger",
    "logging.LoggerAdapter": "logger",
    "absl.logging.get_absl_logger": "logger",
    "structlog.get_logger": "logger",
    "structlog.stdlib.get_logger": "logger",
    "random.Random": "random.Random",
    "random.SystemRandom": "random.Random",
    "secrets.SystemRandom": "random.Random",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "builtins.open": "file",
    "io.open": "file",
    "codecs.open": "file",
    "gzip.open": "file",
    "bz2.open": "file",
    "lzma.open": "file",
    "csv.writer": "csv.writer",
    "csv.DictWriter": "csv.writer",
    "pathlib.Path": "pathlib.Path",
    "tqdm.tqdm": "tqdm",
    "tqdm.trange": "tqdm",
    "tqdm.auto.tqdm": "tqdm",
    "tqdm.auto.trange": "tqdm",
    "tqdm.notebook.tqdm": "tqdm",
    "tqdm.std.tqdm": "tqdm",
    "torch.utils.tensorboard.SummaryWriter": "metrics",
    "tensorboardX.SummaryWriter": "metrics",
    "flax.metrics.tensorboard.SummaryWriter": "metrics",
    "clu.metric_writers.create_default_writer": "metrics",
    "clu.metric_writers.SummaryWriter": "metrics",
    "clu.metric_writers.LoggingWriter": "metrics",
    "wandb.init": "metrics",
    "neptune.init_run": "metrics",
    "aim.Run": "metrics",
    "comet_ml.Experiment": "metrics",
}

#: Generators: drawing from one is host randomness.
GENERATORS: frozenset[str] = frozenset({"random.Random", "numpy.random.Generator", "numpy.random.RandomState"})

_DRAWS = frozenset(name.rpartition(".")[2] for name in effects.HOST_RANDOM if name.startswith("random."))
_NUMPY_DRAWS = frozenset(name.rpartition(".")[2] for name in effects.HOST_RANDOM if name.startswith("numpy."))
#: Methods that hand values to a service or a file for people to look at, one step after the other.
METRIC_METHODS: frozenset[str] = effects.names(
    """
    add_scalar add_scalars add_histogram add_image add_text scalar histogram image text write_scalars write_scalar
    write_histograms write_images write_texts log log_metric log_metrics track
    """
)

#: What a method does, by the class of its object.
METHODS: dict[str, dict[str, EffectKind]] = {
    "logger": dict.fromkeys(effects.LOGGER_METHODS, "log"),
    "random.Random": dict.fromkeys(_DRAWS, "random"),
    "numpy.random.Generator": dict.fromkeys(effects.GENERATOR_METHODS, "random"),
    "numpy.random.RandomState": dict.fromkeys(_NUMPY_DRAWS - {"sample", "ranf"}, "random"),
    "file": dict.fromkeys(("write", "writelines"), "write"),
    "csv.writer": dict.fromkeys(("writerow", "writerows"), "rows"),
    "pathlib.Path": {"write_text": "write", "write_bytes": "write", "open": "open"},
    "tqdm": dict.fromkeys(("update", "set_postfix", "set_postfix_str", "set_description", "write"), "progress"),
    "metrics": dict.fromkeys(METRIC_METHODS, "metrics"),
}

#: Methods of objects that we know nothing of, but that write what they are given, whatever the object is.
WRITING_METHODS: frozenset[str] = (
    effects.LOGGER_METHODS
    | {"write", "writelines", "writerow", "writerows", "write_text", "set_postfix", "set_description"}
    | (METRIC_METHODS - {"text", "image", "scalar", "histogram", "track"})
)


def _functions() -> dict[str, EffectKind]:
    out: dict[str, EffectKind] = {}

    def add(names: frozenset[str] | set[str], kind: EffectKind) -> None:
        out.update(dict.fromkeys((name if "." in name else f"builtins.{name}" for name in names), kind))

    add(effects.CLOCKS, "clock")
    add(effects.HOST_RANDOM, "random")
    add(effects.HOST_RANDOM_STATE, "seed")
    add({f"{module}.{name}" for module in effects.LOGGING_MODULES for name in effects.LOGGER_METHODS}, "log")
    add(effects.MORE_LOGGING | effects.LOGGING, "log")
    add(effects.FILE_WRITES, "dump")
    add(effects.PROCESSES, "process")
    add(effects.QUESTIONS, "ask")
    add({name for name, made in MAKERS.items() if made == "file"}, "open")
    add({"tqdm.tqdm.write", "tqdm.auto.tqdm.write"}, "progress")
    add({"wandb.log", "mlflow.log_metric", "mlflow.log_metrics", "trackio.log", "swanlab.log"}, "metrics")
    add({f"requests.{verb}" for verb in ("post", "put", "patch")}, "metrics")
    add({f"tensorflow.summary.{name}" for name in ("scalar", "histogram", "image", "text")}, "metrics")
    return out


#: What a call of a library function does, by its canonical name (builtins as `builtins.open`).
FUNCTIONS: dict[str, EffectKind] = _functions()

#: Clocks that read the time only when they are called with at most so many arguments.
CLOCK_ARGUMENTS: dict[str, int] = {
    "time.localtime": 0,
    "time.gmtime": 0,
    "time.ctime": 0,
    "time.asctime": 0,
    "time.strftime": 1,
}
