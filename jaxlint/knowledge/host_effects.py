"""Calls that reach outside the program (or that JAX lets out on purpose), and methods that change a container.

Source: the standard library of Python 3.12, NumPy 2.5.5 and JAX 0.12.0.1. The tests check that every name exists there
(but for those marked removed), that every mutating method changes its container and that no other method does, and that
JAX's callbacks run staged. All names are full dotted names; builtins stand alone (`print`, `open`).
"""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


def _under(prefix: str, names: str) -> frozenset[str]:
    """The names, each with the prefix in front."""
    return frozenset(f"{prefix}.{name}" for name in names.split())


_LEVELS = "debug info warning warn error exception critical fatal log"

#: Run once, while tracing: the message shows tracers and never comes again.
PRINTING: frozenset[str] = frozenset({"print", "pprint.pprint", "pprint.pp", "sys.stdout.write", "sys.stderr.write"})
LOGGING: frozenset[str] = _under("logging", _LEVELS.replace(" warn ", " ")) | {"warnings.warn"}

#: Methods of `logging.Logger` (and of loguru, structlog and absl.logging, whose names are the same).
LOGGER_METHODS: frozenset[str] = frozenset(_LEVELS.split())

#: Loggers that are modules or ready-made objects: their functions are LOGGER_METHODS and these.
LOGGING_MODULES: frozenset[str] = frozenset({"logging", "absl.logging", "loguru.logger"})
MORE_LOGGING: frozenset[str] = _under(
    "absl.logging", "vlog log_every_n log_first_n log_if log_every_n_seconds"
) | _under("loguru.logger", "trace success")

#: Read a clock: a constant of the compiled program, and dispatch time at best when timing asynchronous work.
CLOCKS: frozenset[str] = (
    _under(
        "time",
        """
        time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time
        thread_time_ns localtime gmtime ctime asctime strftime
        """,
    )
    | _under("datetime", "datetime.now datetime.utcnow datetime.today date.today")
    | {"timeit.default_timer"}
)

#: Wait.
SLEEPS: frozenset[str] = frozenset({"time.sleep", "asyncio.sleep"})

#: Draw from a generator on the host: one draw while tracing, then a constant of the compiled program.
HOST_RANDOM: frozenset[str] = (
    _under(
        "random",
        """
        betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits lognormvariate
        normalvariate paretovariate randbytes randint random randrange sample shuffle triangular uniform vonmisesvariate
        weibullvariate
        """,
    )
    | _under(
        "numpy.random",
        """
        beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric laplace
        logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f
        normal pareto permutation poisson power rand randint randn random random_integers random_sample ranf rayleigh
        sample shuffle standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform
        vonmises wald weibull zipf
        """,
    )
    | _under("secrets", "choice randbelow randbits token_bytes token_hex token_urlsafe")
    | {"os.urandom"}
)

#: Set or read the state of a global generator.
HOST_RANDOM_STATE: frozenset[str] = _under("random", "seed setstate getstate") | _under(
    "numpy.random", "seed set_state get_state"
)

GENERATOR_METHODS: frozenset[str] = names(
    """
    beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric integers laplace
    logistic lognormal logseries multinomial multivariate_hypergeometric multivariate_normal negative_binomial
    noncentral_chisquare noncentral_f normal pareto permutation permuted poisson power random rayleigh shuffle
    standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald
    weibull zipf
    """
)

#: Read files. While tracing that is a way to get constants.
FILE_READS: frozenset[str] = (
    frozenset({"pickle.load", "json.load", "marshal.load"})
    | _under("numpy", "load loadtxt genfromtxt fromfile memmap")
    | _under("os", "listdir scandir walk")
    | _under("pathlib.Path", "read_text read_bytes")
    | {"jax.numpy.load"}
)

#: Store what they are given, for which they need its numbers: a tracer makes them fail.
FILE_WRITES: frozenset[str] = (
    frozenset({"pickle.dump", "pickle.dumps", "json.dump", "json.dumps", "marshal.dump", "marshal.dumps"})
    | _under("numpy", "save savez savez_compressed savetxt")
    | _under("jax.numpy", "save savez")
)

#: Change folders and the environment.
FILE_CHANGES: frozenset[str] = (
    _under("os", "remove unlink rename replace mkdir makedirs rmdir removedirs putenv unsetenv chdir")
    | _under("shutil", "copy copy2 copyfile copytree move rmtree")
    | _under("pathlib.Path", "unlink mkdir rmdir rename replace touch")
)

#: Start other programs.
PROCESSES: frozenset[str] = _under("os", "system popen") | _under(
    "subprocess", "run call check_call check_output Popen"
)

#: Ask the person at the console.
QUESTIONS: frozenset[str] = frozenset({"input"})

#: Methods that change a container in place.
LIST_MUTATORS: frozenset[str] = names("append extend insert remove pop clear sort reverse")
DICT_MUTATORS: frozenset[str] = names("update setdefault pop popitem clear")
SET_MUTATORS: frozenset[str] = names(
    "add update remove discard pop clear difference_update intersection_update symmetric_difference_update"
)
DEQUE_MUTATORS: frozenset[str] = names(
    "append appendleft extend extendleft insert remove pop popleft clear rotate reverse"
)
ORDERED_DICT_MUTATORS: frozenset[str] = DICT_MUTATORS | {"move_to_end"}
COUNTER_MUTATORS: frozenset[str] = DICT_MUTATORS | {"subtract"}
BYTEARRAY_MUTATORS: frozenset[str] = LIST_MUTATORS - {"sort"}

#: All of them by the canonical name of the type; `defaultdict` also changes on a plain `d[key]`.
MUTATORS: dict[str, frozenset[str]] = {
    "list": LIST_MUTATORS,
    "dict": DICT_MUTATORS,
    "set": SET_MUTATORS,
    "bytearray": BYTEARRAY_MUTATORS,
    "collections.deque": DEQUE_MUTATORS,
    "collections.defaultdict": DICT_MUTATORS,
    "collections.OrderedDict": ORDERED_DICT_MUTATORS,
    "collections.Counter": COUNTER_MUTATORS,
}

#: Of these names, the ones that return None whatever the receiver is.
MUTATORS_RETURNING_NONE: frozenset[str] = names(
    """
    append appendleft extend extendleft insert remove clear sort reverse rotate update add discard difference_update
    intersection_update symmetric_difference_update move_to_end subtract
    """
)

#: Functions that change an argument: the position of what is changed.
ARGUMENT_MUTATORS: dict[str, int] = {
    "setattr": 0,
    "delattr": 0,
    "heapq.heappush": 0,
    "heapq.heappop": 0,
    "heapq.heapify": 0,
    "heapq.heapreplace": 0,
    "heapq.heappushpop": 0,
    "bisect.insort": 0,
    "bisect.insort_left": 0,
    "bisect.insort_right": 0,
    "random.shuffle": 0,
    "operator.setitem": 0,
    "operator.delitem": 0,
    "operator.iadd": 0,
}

#: JAX's own doors to the host: legal inside a trace. The function at position 0 (keyword `callback`) runs on the host
#: with arrays.
HOST_CALLBACKS: frozenset[str] = frozenset(
    {
        "jax.debug.callback",
        "jax.pure_callback",
        "jax.experimental.io_callback",
        "jax.experimental.buffer_callback.buffer_callback",
    }
)

#: Print or inspect at run time, no function involved.
DEBUG_CALLS: frozenset[str] = frozenset(
    {
        "jax.debug.print",
        "jax.debug.breakpoint",
        "jax.debug.visualize_array_sharding",
        "jax.debug.inspect_array_sharding",
        "jax.experimental.checkify.check",
        "jax.experimental.checkify.debug_check",
    }
)

#: Gone from JAX: what older code still calls.
REMOVED_CALLBACKS: frozenset[str] = frozenset(
    {
        "jax.experimental.host_callback.call",
        "jax.experimental.host_callback.id_tap",
        "jax.experimental.host_callback.id_print",
        "jax.experimental.host_callback.barrier_wait",
    }
)

#: Wait for, or copy, device values from host code. On a tracer `jax.device_get` and `jax.block_until_ready` do nothing.
HOST_SYNCS: frozenset[str] = frozenset(
    {"jax.device_get", "jax.block_until_ready", "jax.effects_barrier", "numpy.asarray", "numpy.array"}
)
