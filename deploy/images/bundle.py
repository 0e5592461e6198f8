"""Prints the configuration of an OCI bundle that runs a command as the chart's pods run it.

bundle.py ROOT PROFILE NETWORK COMMAND…
"""

import json
import os
import sys


def seccomp(path):
    """Resolves a profile in containers' form for this machine's architecture and a process without capabilities."""
    with open(path) as file:
        profile = json.load(file)
    found = {"defaultAction": profile["defaultAction"], "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"], "syscalls": []}
    if "defaultErrnoRet" in profile:
        found["defaultErrnoRet"] = profile["defaultErrnoRet"]
    for rule in profile["syscalls"]:
        includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
        wanted, unwanted = includes.get("arches"), excludes.get("arches")
        if includes.get("caps") or (wanted and not {"amd64", "x86", "x32"} & set(wanted)) or (unwanted and "amd64" in unwanted):
            continue
        entry = {"names": rule.get("names") or [rule["name"]], "action": rule["action"]}
        entry.update({key: rule[key] for key in ("args", "errnoRet") if rule.get(key)})
        found["syscalls"].append(entry)
    return found


def tmpfs(path, *options):
    return {"destination": path, "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", *options]}


def main(root, profile, network, *command):
    none = {kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")}
    namespaces = ["pid", "ipc", "uts", "mount"] + (["network"] if network == "none" else [])
    environment = ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin", "HOME=/var/lib/limner", "LANG=C.UTF-8", "LIMNER__LOG__FORMAT=json"]
    environment += [f"{name}={value}" for name, value in os.environ.items() if name.startswith("LIMNER__")]
    mounts = [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=64k"]},
        tmpfs("/dev/shm", "noexec", "mode=1777", "size=512m"),
        tmpfs("/tmp", "mode=1777"),
        tmpfs("/var/lib/limner", "mode=755", "uid=10001", "gid=10001"),
        {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": ["ro", "nosuid", "noexec", "nodev"]},
    ]
    if network == "host":
        # sysfs cannot be mounted in the host's network namespace without its user namespace being ours.
        mounts[-1] = {"destination": "/sys", "type": "bind", "source": "/sys", "options": ["rbind", "ro", "nosuid", "noexec", "nodev"]}
    config = {
        "ociVersion": "1.0.2",
        "process": {
            "terminal": False,
            "user": {"uid": 10001, "gid": 10001},
            "args": list(command),
            "env": environment,
            "cwd": "/",
            "noNewPrivileges": True,
            "capabilities": none,
        },
        "root": {"path": root, "readonly": True},
        "mounts": mounts,
        "linux": {
            "namespaces": [{"type": kind} for kind in namespaces],
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug", "/proc/scsi", "/sys/firmware", "/proc/acpi", "/proc/asound"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
            "seccomp": seccomp(profile),
        },
    }
    json.dump(config, sys.stdout, indent=1)


main(*sys.argv[1:])
