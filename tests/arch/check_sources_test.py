# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of check_sources.py must be able to fail: a small tree that breaks it."""
import pathlib
import sys
import tempfile

import check_sources

FIRST = "// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\n"
TWIN = "namespace n {\n\nstruct A {\n    int i;\n};\n\n}  // namespace n\n"
BREACHES = {
    "core_and_replay_have_no_qt": ("core/a/x.cpp", FIRST + "#include <QString>\n"),
    "core_knows_nothing_above_it": ("core/a/x.cpp", FIRST + '#include "replay/x.h"\n'),
    "only_replay_sees_torch": ("core/a/x.cpp", FIRST + "#include <ATen/ATen.h>\n"),
    "bridge_has_no_widgets": ("ui/bridge/x.cpp", FIRST + "#include <QLabel>\n"),
    "views_do_not_know_each_other": ("views/a/x.cpp", FIRST + '#include "views/b/y.h"\n'),
    "core_headers_are_plain": ("core/a/x.h", FIRST + "#include <fmt/format.h>\n", ("app/y.cpp", '#include "core/a/x.h"\n')),
    "moc_headers_are_light": ("ui/shell/x.h", FIRST + "#include <ranges>\nclass A {\n    Q_OBJECT\n};\n"),
    "files_are_short": ("core/a/x.cpp", FIRST + "\n" * 600),
    "licence_comes_first": ("core/a/x.cpp", "int x;\n"),
    "headers_are_guarded": ("core/a/x.h", "// SPDX-License-Identifier: GPL-3.0-or-later\n"),
    "only_classify_judges": ("core/a/x.cpp", FIRST + "bool b = std::isnan(1.0);\n"),
    "folders_explain_themselves": ("core/unexplained/x.cpp", FIRST),
    "no_machine_paths": ("core/a/x.cpp", FIRST + "// see /" + "home/someone/notes\n"),
    "types_have_names_of_their_own": ("core/a/x.h", FIRST + TWIN, ("core/b/y.cpp", TWIN)),
}


def fails(rule, name, text, *others):
    with tempfile.TemporaryDirectory() as root:
        for file, content in ((name, text), *others):
            path = pathlib.Path(root) / file
            path.parent.mkdir(parents=True)
            path.write_text(content, encoding="utf-8")
        tree = check_sources.Tree(pathlib.Path(root))
        return bool(list(rule(tree)))


def main():
    blind = [rule.__name__ for rule in check_sources.RULES if not fails(rule, *BREACHES[rule.__name__])]
    print(f"{len(check_sources.RULES)} rules, cannot fail: {blind}")
    return 1 if blind else 0


sys.exit(main())
