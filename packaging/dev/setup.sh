# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a machine needs before anything is built: packages of the distribution, and the LibTorch
# wheel in .deps/. Sourced by bootstrap.sh; does nothing that is already done.

kTorchVersion=2.15.0
kTorchCuda=13.2

asRoot() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "Packages have to be installed, but this is not root and there is no sudo." \
            "Run as root, or let an administrator install: ${missingPackages[*]}"
    fi
}

isInstalled() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]; }

isKnown() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# needs SECTION...: the lines of packages.txt in these sections.
needs() {
    awk -v sections=" $* " '/^\[/ { gsub(/[][]/, ""); wanted = index(sections, " " $0 " "); next }
                            wanted && NF && !/^#/' "$root/packaging/packages.txt"
}

# collectMissing SECTION...: fills missingNeeds with the lines of which no alternative is installed.
collectMissing() {
    local line name found
    missingNeeds=()
    while IFS= read -r line; do
        found=
        for name in ${line//|/ }; do
            ! isInstalled "$name" || found=yes
        done
        [ -n "$found" ] || missingNeeds+=("$line")
    done < <(needs "$@")
}

# choosePackages: fills missingPackages with the first alternative that the distribution has.
choosePackages() {
    local line name chosen
    missingPackages=()
    for line in "${missingNeeds[@]}"; do
        chosen=
        for name in ${line//|/ }; do
            if [ -z "$chosen" ] && isKnown "$name"; then
                chosen=$name
            fi
        done
        [ -n "$chosen" ] || die "This distribution has no package for \"$line\"." \
            "Debian 12 and Ubuntu 24.04 are supported; enable their main (and universe) sections."
        missingPackages+=("$chosen")
    done
}

installPackages() {
    command -v apt-get >/dev/null || die "There is no apt-get on this machine." \
        "Debian 12 and Ubuntu 24.04 are supported; elsewhere install what packaging/packages.txt names."
    collectMissing "$@"
    if [ "${#missingNeeds[@]}" -eq 0 ]; then
        step "System packages: all $(needs "$@" | wc -l) are there" "" true
        return
    fi
    require "Package lists" "Check the network and /etc/apt/sources.list." asRoot apt-get update
    choosePackages
    require "System packages: installing ${#missingPackages[@]}" "Try: apt-get install ${missingPackages[*]}" \
        asRoot env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missingPackages[@]}"
}

torchIsThere() {
    grep -q "^__version__ = '$kTorchVersion" "$torchFolder/torch/version.py" 2>/dev/null \
        && [ -e "$torchFolder/torch/lib/libtorch_cpu.so" ] \
        && compgen -G "$torchFolder/nvidia/cu13/lib/libcudart.so*" >/dev/null
}

pythonWithPip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            printf '%s' "$python"
            return
        fi
    done
    die "No python3 with pip was found." "Install python3-pip."
}

# Downloads beside the place and moves it there when complete, so that a torn download is never used.
fetchTorch() {
    local python partial="$torchFolder.partial"
    python=$(pythonWithPip)
    rm -rf "$partial"
    mkdir -p "$(dirname "$torchFolder")"
    "$python" -m pip install --no-deps --progress-bar off --target "$partial" "torch==$kTorchVersion" \
        "nvidia-cuda-runtime==$kTorchCuda.*" "nvidia-cuda-cupti==$kTorchCuda.*"
    rm -rf "$torchFolder"
    mv "$partial" "$torchFolder"
}

installTorch() {
    torchFolder="$root/.deps/torch"
    if [ -n "${FIRSTBAD_TORCH:-}" ]; then
        step "LibTorch: the one that FIRSTBAD_TORCH names" "" test -e "$FIRSTBAD_TORCH/torch/lib/libtorch_cpu.so" \
            || die "FIRSTBAD_TORCH is $FIRSTBAD_TORCH, which holds no torch/lib/libtorch_cpu.so." \
                "Set it to the site-packages folder of a Python that has torch, or unset it."
    elif torchIsThere; then
        step "LibTorch $kTorchVersion is there" "" true
    else
        require "LibTorch $kTorchVersion (about 600 MB, once)" \
            "Check the network and the disk (3 GB), or build without it: --no-replay." fetchTorch
    fi
}

# The whole Python wheel, with all it needs: only the recorder's own tests train in Python.
installPythonTorch() {
    local python partial
    pythonTorchFolder=${FIRSTBAD_TORCH_PYTHON:-$root/.deps/torch-python}
    if [ -e "$pythonTorchFolder/torch/version.py" ]; then
        step "Python torch is there" "" true
        return
    fi
    python=$(pythonWithPip)
    partial="$pythonTorchFolder.partial"
    rm -rf "$partial"
    mkdir -p "$(dirname "$pythonTorchFolder")"
    require "Python torch $kTorchVersion (about 5.4 GB, once)" "Check the network and the disk (8 GB)." \
        "$python" -m pip install --progress-bar off --target "$partial" "torch==$kTorchVersion"
    mv "$partial" "$pythonTorchFolder"
}
