/** One household has a whole /64 of IPv6: counting single addresses would count nothing. */
export const networkOf = (address: string): string => prefixOf(address, 4)

/** The /48 that one customer of a provider may hold; of IPv4 the address itself. */
export const siteOf = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, groups: 3 | 4): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]!.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const filler = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...filler, ...right].slice(0, groups).join(':')}::/${groups * 16}`
}
