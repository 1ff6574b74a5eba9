"""Runs on many machines, by actors of Ray: each holds some pieces of a game, the driver the trunk.

Ray is imported in :mod:`secateur.cluster.engine` only, and only when somebody asks for a cluster.
"""
