"""Memory regions, and what the keys to them allow."""

GUARD = 64


class Region:
    def __init__(self, handle, pd, addr, length, access, key):
        self.handle, self.pd, self.addr, self.length, self.access, self.key = handle, pd, addr, length, access, key
        self.bytes = bytearray(GUARD + length + GUARD)

    def read(self, addr, length):
        at = addr - self.addr + GUARD
        return bytes(self.bytes[at : at + length])

    def write(self, addr, data):
        at = addr - self.addr + GUARD
        self.bytes[at : at + len(data)] = data


class Memory:
    def __init__(self):
        self.regions = {}
        self.next_addr, self.next_key = 0x10000, 0x100

    def register(self, handle, pd, length, access):
        region = Region(handle, pd, self.next_addr, length, access, self.next_key)
        # The page before and the page behind belong to nobody.
        self.next_addr += (length + 2 * 4096) // 4096 * 4096 + 4096
        self.next_key += 0x100
        self.regions[handle] = region
        return region

    def find(self, key, pd, addr, length, right):
        """The region that a key opens for `length` bytes from `addr`; None where it does not."""
        for region in self.regions.values():
            if region.key == key:
                inside = region.addr <= addr and addr + length <= region.addr + region.length
                return region if inside and region.pd == pd and right in region.access else None
        return None
