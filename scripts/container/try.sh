#!/bin/sh
# Builds examples/container with this package and runs it, without a network, by the first engine that can run something here: docker, podman,
# podman with runc. Needs root and debootstrap where the base image cannot be pulled: a Debian with this machine's Node takes its place then.
# Exit code 1: the recipe fails; 69: no engine works here. Run: npm run container
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
[ "${RDMA_CONFORM_BUILT:-}" = 1 ] || npm run --silent build
npm pack --silent --ignore-scripts --pack-destination "$work" >/dev/null
archive=$(basename "$work"/*.tgz)
cp examples/container/Containerfile "$work"
base=$(sed -n 's/^FROM //p' "$work/Containerfile")

# Engines ask for limits that a machine may refuse even root.
limits='--ulimit nofile=1024:1024 --ulimit nproc=4096:4096'

base_image() { # ENGINE...: the base image, pulled or made of this machine's Debian packages and Node
  "$@" image inspect "$base" >/dev/null 2>&1 && return
  "$@" pull "$base" >/dev/null 2>&1 && return
  root=$work/root
  debootstrap --variant=minbase bookworm "$root" >/dev/null || return 1
  cp "$(command -v node)" "$root/usr/bin/node"
  cp -r "$(npm root --global)/npm" "$root/usr/lib/npm"
  ln -s ../lib/npm/bin/npm-cli.js "$root/usr/bin/npm"
  # how this machine reaches its registries
  for file in "$HOME/.npmrc" "${NODE_EXTRA_CA_CERTS:-}"; do
    if [ -f "$file" ]; then mkdir -p "$root/$(dirname "$file")" && cp "$file" "$root/$file"; fi
  done
  cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
  tar -C "$root" -c . | "$@" import --change "ENV NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-}" - "$base" >/dev/null
  rm -rf --one-file-system "$root"
}

works() { # ENGINE...
  "$1" --version >/dev/null 2>&1 && "$@" info >/dev/null 2>&1 && base_image "$@" &&
    "$@" run --rm $limits --network none --entrypoint node "$base" --version
}

finds_fault() { # COMMAND...: it must end with 1; soft-RoCE and the capture break a rule
  code=0
  "$@" || code=$?
  [ "$code" -eq 1 ] || { echo "ended with $code, not with 1: $*"; exit 1; }
}

for engine in docker podman 'podman --runtime runc'; do
  echo "== $engine"
  # shellcheck disable=SC2086 # an engine may have flags
  if works $engine; then
    $engine build $limits --network host --build-arg "PACKAGE=/package/$archive" -t rdma-conform-try -f "$work/Containerfile" "$work"
    $engine run --rm $limits --network none rdma-conform-try --version
    finds_fault $engine run --rm $limits --network none rdma-conform-try smoke --adapter rxe
    finds_fault $engine run --rm $limits --network none -v "$PWD/examples/captures:/work:ro" rdma-conform-try check msn-counts-packets.pcap
    echo "built and run by $engine"
    exit 0
  fi
done
echo 'no engine can run a container here'
exit 69
