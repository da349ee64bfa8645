"""numpyro subsampling: the rows depend on the key."""

from __future__ import annotations

from numpyro.primitives import _subsample_fn
from support import depends_on_key

depends_on_key(lambda key: _subsample_fn(50, 10, key))
