"""What is worked out once, when a template is compiled, instead of with every page and mail:

sentences without blanks are translated, and what a macro of another file makes of constants is put in its place.
"""

from collections import Counter
from gettext import NullTranslations
from typing import Any

from jinja2 import Environment, nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup


class AheadEnvironment(Environment):
    """An environment in one language, whose templates come out as from any other, only sooner.

    What a macro imported without context makes of constants must not change while the program runs.
    """

    def __init__(self, translations: NullTranslations, **options: Any) -> None:
        """`options`: as for any environment."""
        super().__init__(extensions=["jinja2.ext.i18n"], **options)
        self.translations = translations
        self.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]

    def _generate(self, source: nodes.Template, name: str | None, *more: Any, **options: Any) -> str:
        return super()._generate(_Ahead(self, source, name).visit(source), name, *more, **options)


class _Ahead(NodeTransformer):
    """Replaces calls whose result is known. `m.h2(_('Press'))` becomes the heading itself, after `import … as m`."""

    def __init__(self, env: AheadEnvironment, source: nodes.Template, name: str | None) -> None:
        self._env = env
        self._context = nodes.EvalContext(env, name)
        self._taken = {found.name for found in source.find_all(nodes.Name) if found.ctx != "load"}
        imports = [found for found in source.find_all(nodes.Import) if isinstance(found.template, nodes.Const)]
        aliases = Counter(found.target for found in source.find_all(nodes.Import))
        sure = [found for found in imports if not found.with_context and aliases[found.target] == 1]
        self._files = {i.target: i.template.as_const() for i in sure if i.target not in self._taken}
        self._escapes_as_ever = source.find(nodes.EvalContextModifier) is None

    def visit_CallBlock(self, node: nodes.CallBlock) -> nodes.Node:  # noqa: N802  # NodeTransformer calls it by the kind of node
        self.generic_visit(node.call)  # its values; the call itself gets the block, which is not known yet
        node.body = [self.visit(inside) for inside in node.body]
        return node

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802  # likewise
        function = self._function(node.node) if self._escapes_as_ever else None
        self.generic_visit(node)
        if function is None or node.dyn_args is not None or node.dyn_kwargs is not None:
            return node
        try:
            values = [value.as_const(self._context) for value in node.args]
            named = {pair.key: pair.value.as_const(self._context) for pair in node.kwargs}
            return nodes.Const(function(*values, **named))
        except Exception:  # not constant, or wrong: it comes out, or fails, when it is its turn
            return node

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:  # noqa: N802  # likewise
        found = self._of_file(node) if self._escapes_as_ever else None
        return nodes.Const(found) if isinstance(found, str) else self.generic_visit(node)

    def _function(self, callee: nodes.Node) -> Any:
        if isinstance(callee, nodes.Name) and callee.name in ("_", "gettext") and callee.name not in self._taken:
            return self._translate
        found = self._of_file(callee)
        return found if callable(found) else None

    def _of_file(self, node: nodes.Node) -> Any:
        """What a name of an imported file stands for: a macro, a constant; None for anything else."""
        if not (isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name in self._files):
            return None
        return getattr(self._env.get_template(self._files[node.node.name]).module, node.attr, None)

    def _translate(self, text: str, **blanks: Any) -> str:
        sentence = self._env.translations.gettext(text)
        return (Markup(sentence) if self._context.autoescape else sentence) % blanks  # noqa: S704  # our own words
