import { BlockList, isIP } from 'node:net'

/**
 * Decides whether an address is out on the public internet. Everything that can lead back inside is refused: private,
 * loopback, link-local and metadata ranges, and the IPv6 forms that carry an IPv4 address inside.
 */
export interface AddressGuard {
  isAllowed(address: string): boolean
}

export interface AddressGuardOptions {
  /** `10.1.0.0/16`, `fd12::/48`: inner ranges that the operator opens. */
  readonly allowedSubnets?: readonly string[]
  readonly isLoopbackAllowed?: boolean
}

const refusedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Only 2000::/3 is handed out to the public; within it these are not. */
const refusedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

export function createAddressGuard({
  allowedSubnets = [],
  isLoopbackAllowed = false,
}: AddressGuardOptions = {}): AddressGuard {
  const refused = toBlockList([...refusedV4, ...refusedV6])
  const publicV6 = toBlockList(['2000::/3'])
  const opened = toBlockList([...allowedSubnets, ...(isLoopbackAllowed ? ['127.0.0.0/8', '::1/128'] : [])])
  return {
    isAllowed(address) {
      const plain = unwrap(address)
      const family = familyOf(plain)
      if (!family) return false
      if (opened.check(plain, family)) return true
      if (family === 'ipv6' && !publicV6.check(plain, family)) return false
      return !refused.check(plain, family)
    },
  }
}

/** Undefined when the text is no subnet; configuration reports that, it is not guessed at. */
export function parseSubnet(text: string): { address: string; prefix: number } | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const family = familyOf(address)
  if (!family || rest.length > 0) return undefined
  const longest = family === 'ipv4' ? 32 : 128
  const prefix = length === undefined ? longest : Number(length)
  return Number.isInteger(prefix) && prefix >= 0 && prefix <= longest && length !== '' ? { address, prefix } : undefined
}

function toBlockList(subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const parsed = parseSubnet(subnet)
    if (!parsed) throw new Error(`not a subnet: ${subnet}`)
    list.addSubnet(parsed.address, parsed.prefix, familyOf(parsed.address))
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  isIP(address) === 4 ? 'ipv4' : isIP(address) === 6 ? 'ipv6' : undefined

/** `::ffff:10.0.0.1` and its hexadecimal spelling are the IPv4 address they carry; a zone id is dropped. */
function unwrap(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
