"""brax SAC losses: what the module keeps of a jitted call."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from brax.training.agents.sac import losses, networks
from brax.training.types import Transition
from support import keeps_no_tracer

nets = networks.make_sac_networks(3, 2)
alpha_loss, _, _ = losses.make_losses(nets, reward_scaling=1.0, discounting=0.9, action_size=2)
policy = nets.policy_network.init(jax.random.key(0))
row = Transition(jnp.ones((4, 3)), jnp.ones((4, 2)), jnp.ones(4), jnp.ones(4), jnp.ones((4, 3)))
jax.jit(alpha_loss)(jnp.asarray(0.1), policy, None, row, jax.random.key(1))
keeps_no_tracer(getattr(losses, "SEEN", []))
