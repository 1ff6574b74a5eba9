"""How Numba's compiler treats kernels and their parts.

By itself Numba optimizes every function twice and makes machine code of it, and does so again for
each function into which it is linked. Parts need neither: they are linked into kernels, and only
kernels run. For kernels once is enough: the first time is to make references to arrays meet that
can be left out, and kernels count none.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager

from secateur.kernels.compilation.resolving import remembered_signatures

_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    untyped_passes.DeadBranchPrune,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""Of Numba's passes those that kernels need: they have no closures, no generators, no expressions
of whole arrays, and nothing that Numba itself should copy to where it is called."""


class _Compiler(Compiler):
    """Compiles functions that are made of the same few operators again and again."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes; Numba calls it so."""
        passes = PassManager("kernels")
        for each in _PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, function: Any) -> Any:
        """Compile a function; Numba calls it so."""
        with remembered_signatures():
            return super().compile_extra(function)


class _Uncalled:
    """A code generator, but for functions that have no address."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: what Numba notes for a function is of use to calls from Python only."""


class _PartLibrary(JITCodeLibrary):
    """Code of a part as it comes out of Numba, to be linked."""

    @property
    def codegen(self) -> Any:
        """What would note the environment of the function."""
        return _Uncalled(self._codegen)

    def _optimize_final_module(self) -> None:
        """Leave that to the kernel."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - it has none
        """Return the address of a function: none."""
        self._ensure_finalized()
        return 0


class PartCompiler(_Compiler):
    """Compiles parts."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        library = library or _PartLibrary(targetctx.codegen(), "part")
        super().__init__(typingctx, targetctx, library, *rest)


class _KernelLibrary(JITCodeLibrary):
    """Code of a kernel with all of its parts."""

    def _optimize_final_module(self) -> None:
        passes = self._codegen._module_pass_manager()
        if isinstance(passes, tuple):
            manager, builder = passes
            manager.run(self._final_module, builder)
        else:  # before Numba took over LLVM's new pass managers
            passes.run(self._final_module)


class KernelCompiler(_Compiler):
    """Compiles kernels."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = _KernelLibrary(targetctx.codegen(), "kernel")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)
