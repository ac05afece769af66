#!/bin/sh
# Builds examples/container and uses it, with this package: by docker or podman where an engine answers. Elsewhere, as root, the steps of
# the file are taken in a Debian that debootstrap makes, with this machine's Node: that shows that the recipe is complete, and not that an
# engine can read it. Run: npm run container
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'umount "$work/root/proc" "$work/root/dev" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
npm run --silent build
npm pack --silent --pack-destination "$work" >/dev/null
archive=$(basename "$work"/*.tgz)
cp examples/container/Containerfile "$work"

for engine in docker podman; do
  if "$engine" info >/dev/null 2>&1; then
    "$engine" build --build-arg "PACKAGE=/package/$archive" -t rdma-conform-try -f "$work/Containerfile" "$work"
    "$engine" run --rm rdma-conform-try --version
    "$engine" run --rm --network none rdma-conform-try smoke --adapter rxe || [ $? -eq 1 ]
    echo "built and run by $engine"
    exit 0
  fi
done

root=$work/root
debootstrap --variant=minbase bookworm "$root" >/dev/null
cp "$(command -v node)" "$root/usr/bin/node"
cp -r "$(npm root --global)/npm" "$root/usr/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$root/usr/bin/npm"
# how this machine reaches its registries
for file in /etc/resolv.conf /etc/hosts "$HOME/.npmrc" "${NODE_EXTRA_CA_CERTS:-}"; do
  if [ -f "$file" ]; then mkdir -p "$root/$(dirname "$file")" && cp "$file" "$root/$file"; fi
done
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mkdir -p "$root/package"
cp "$work/Containerfile" "$work/$archive" "$root/package"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
inside() { HOME=/root PACKAGE=/package/$archive RDMA_CONFORM_CACHE=/var/cache/rdma-conform chroot "$root" /bin/sh -euc "$1"; }
sed -n 's/^RUN //p' "$work/Containerfile" | while read -r step; do
  echo "+ $step"
  inside "$step"
done
inside 'rdma-conform --version'
# without apt's lists nothing more can be downloaded
rm -rf "$root/var/lib/apt/lists"
inside 'cd /tmp && rdma-conform smoke --adapter rxe || [ $? -eq 1 ]'
echo "the steps of the recipe hold in a Debian of their own"
