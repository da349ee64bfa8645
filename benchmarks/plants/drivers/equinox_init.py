"""equinox default_init: it depends on its key and uses it once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from equinox.nn._misc import default_init
from support import depends_on_key, key_used_once

key_used_once(lambda key: default_init(key, (3,), jnp.complex64, 1.0), jax.random.key(0))
depends_on_key(lambda key: default_init(key, (3,), jnp.float32, 1.0))
