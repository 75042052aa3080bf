# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules that the source tree keeps: includes between folders, sizes, headers, READMEs, NaN.

Reads files that git tracks (all files where there is no git); prints one line a breach.
"""
import pathlib
import re
import subprocess
import sys

CODE = {".h", ".cpp", ".cu"}
SCRIPT = {".py", ".sh"}
MAX_LINES = 500
MAX_README_LINES = 40
SPDX = "SPDX-License-Identifier: "
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
WIDGETS = re.compile(r"^(QtWidgets|QtGui|QtCharts)/|^Q(Widget|MainWindow|Application|Dialog|Label|Dock|Chart"
                     r"|Painter|Pixmap|Image|Action|Menu|Layout|PushButton|TableView|TreeView)")
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
MOC_BREAKERS = {"compare", "ranges", "concepts", "span", "stop_token", "iterator", "algorithm", "bit"}
PUBLIC_CORE_ALLOWED = re.compile(r"^(core/|tl/expected\.hpp$|[a-z_0-9]+$|sys/|unistd\.h$)")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:home|root|work|Users|mnt|srv)/[A-Za-z0-9_.-]+")
NAN_CALL = re.compile(r"\b(?:std::)?(?:isnan|isinf|isfinite|fpclassify)\s*\(")
# Outside the product: the demo's training, which is no part of any library.
NAN_EXEMPT = {"core/base/value_kind.h", "packaging/dev/make_demo_log.cpp"}
PRODUCT = ("core/", "app/", "replay/", "ui/", "views/")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: : .*| \{.*)?$")
FOLDERS_WITHOUT_README = re.compile(r"^(\.|build)|(^|/)(seeds|run|goldens?|data)(/|$)|^tests/golden/")


def tracked(root):
    run = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"],
                         capture_output=True, text=True, check=False)
    if run.returncode == 0 and run.stdout:
        return [name for name in run.stdout.splitlines() if (root / name).is_file()]
    return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]


class Tree:
    """The text files of the tree, read once."""

    def __init__(self, root):
        self.root = root
        self.names = tracked(root)
        self.code = {name: self.text(name) for name in self.names if pathlib.PurePath(name).suffix in CODE}
        self.scripts = {name: self.text(name) for name in self.names if pathlib.PurePath(name).suffix in SCRIPT}

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")


def includes(tree, prefix):
    for name, text in tree.code.items():
        if name.startswith(prefix):
            for included in INCLUDE.findall(text):
                yield name, included


def is_qt(included):
    return re.match(r"^(Qt[A-Z]\w*/|Q[A-Z]\w*$)", included) is not None


def core_and_replay_have_no_qt(tree):
    for folder in ("core/", "replay/", "app/cli/"):
        for name, included in includes(tree, folder):
            if is_qt(included) or included.startswith(("ui/", "views/")):
                yield f"{name} includes {included}"


def core_knows_nothing_above_it(tree):
    for name, included in includes(tree, "core/"):
        if included.startswith(("app/", "replay/", "tests/")):
            yield f"{name} includes {included}"


def only_replay_sees_torch(tree):
    for name, included in includes(tree, ""):
        if TORCH.match(included) and not name.startswith("replay/"):
            yield f"{name} includes {included}"
        if included == "torch/torch.h":
            yield f"{name} includes torch/torch.h; include ATen/ATen.h"


def bridge_has_no_widgets(tree):
    for name, included in includes(tree, "ui/bridge/"):
        if WIDGETS.match(included):
            yield f"{name} includes {included}"


def views_do_not_know_each_other(tree):
    for name, included in includes(tree, "views/"):
        own = "/".join(name.split("/")[:2])
        if included.startswith("views/") and name.count("/") > 1 and not included.startswith(own + "/"):
            yield f"{name} includes {included}"


def core_headers_are_plain(tree):
    """A header that only its own folder includes is no public header."""
    shared = {included for name, included in includes(tree, "")
              if pathlib.PurePath(included).parent != pathlib.PurePath(name).parent}
    for name, included in includes(tree, "core/"):
        if name in shared and name.endswith(".h") and not PUBLIC_CORE_ALLOWED.match(included):
            yield f"{name} includes {included}; public headers include std, tl::expected and ours"


def moc_headers_are_light(tree):
    for name, text in tree.code.items():
        if name.endswith(".h") and re.search(r"^\s*Q_OBJECT\b", text, re.MULTILINE):
            for included in INCLUDE.findall(text):
                if included in MOC_BREAKERS or included.startswith("core/"):
                    yield f"{name} has Q_OBJECT and includes {included}; forward-declare instead"


def files_are_short(tree):
    for name, text in {**tree.code, **tree.scripts}.items():
        lines = text.count("\n")
        if lines > MAX_LINES:
            yield f"{name} has {lines} lines; the limit is {MAX_LINES}"


def licence_comes_first(tree):
    for name, text in {**tree.code, **tree.scripts}.items():
        if SPDX not in "\n".join(text.splitlines()[:3]):
            yield f"{name} does not begin with its SPDX line"


def headers_are_guarded(tree):
    for name, text in tree.code.items():
        if name.endswith(".h") and "#pragma once" not in text:
            yield f"{name} has no #pragma once"


def only_classify_judges(tree):
    for name, text in tree.code.items():
        if name in NAN_EXEMPT:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if NAN_CALL.search(line.split("//")[0]):
                yield f"{name}:{number} asks {NAN_CALL.search(line).group(0)}); use classify()"


def folders_explain_themselves(tree):
    folders = {str(pathlib.PurePath(name).parent) for name in tree.names if pathlib.PurePath(name).suffix in CODE | SCRIPT}
    for folder in sorted(folders):
        if folder == "." or FOLDERS_WITHOUT_README.search(folder):
            continue
        if folder.startswith("tests/"):
            folder = "/".join(folder.split("/")[:2])  # one README a kind of test
        # A folder may be explained by the README of the folder above it, if that names it.
        readme = tree.root / folder / "README.md"
        if not readme.is_file():
            above = tree.root / pathlib.PurePath(folder).parent / "README.md"
            if not above.is_file() or f"{pathlib.PurePath(folder).name}/" not in above.read_text(encoding="utf-8"):
                yield f"{folder} has no README.md, and the one above does not name it"
        elif len(readme.read_text(encoding="utf-8").splitlines()) >= MAX_README_LINES:
            yield f"{folder}/README.md has {MAX_README_LINES} lines or more"


def no_machine_paths(tree):
    for name in tree.names:
        if pathlib.PurePath(name).suffix in CODE | SCRIPT | {".md", ".txt", ".cmake", ".json", ".in"} and "/data/" not in name:
            for number, line in enumerate(tree.text(name).splitlines(), 1):
                found = MACHINE_PATH.search(line)
                if found and not name.startswith("tests/"):
                    yield f"{name}:{number} holds the path {found.group(0)}"


def named_types(text):
    """(namespace, type) for each type that a file defines where the linker can see it."""
    namespace, hidden = "", False
    for line in text.splitlines():
        if line == "namespace {":
            hidden = True
        elif line.startswith("}  // namespace"):
            hidden = False
        elif opened := NAMESPACE.match(line):
            namespace = opened.group(1)
        elif not hidden and (found := TYPE.match(line)):
            yield namespace, found.group(1)


def types_have_names_of_their_own(tree):
    """Two types of one name in one program: the linker mixes their functions, and memory breaks."""
    where = {}
    for name, text in tree.code.items():
        if name.startswith(PRODUCT):
            for key in named_types(text):
                where.setdefault(key, set()).add(name)
    for (namespace, found), names in sorted(where.items()):
        if len(names) > 1:
            yield f"{namespace}::{found} is defined in {', '.join(sorted(names))}"


RULES = (core_and_replay_have_no_qt, core_knows_nothing_above_it, only_replay_sees_torch, bridge_has_no_widgets,
         views_do_not_know_each_other, core_headers_are_plain, moc_headers_are_light, files_are_short,
         licence_comes_first, headers_are_guarded, only_classify_judges, folders_explain_themselves,
         no_machine_paths, types_have_names_of_their_own)


def breaches(root):
    tree = Tree(pathlib.Path(root))
    return len(tree.code), [f"{rule.__name__}: {line}" for rule in RULES for line in rule(tree)]


def main():
    looked_at, found = breaches(sys.argv[1])
    print("\n".join(found))
    print(f"{looked_at} sources, {len(RULES)} rules, {len(found)} breaches")
    return 1 if found or looked_at == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
