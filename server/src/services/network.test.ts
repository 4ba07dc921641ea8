import { expect, test } from 'vitest'
import { networkOf, siteOf } from './network.ts'

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:1:2::a', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
])('%s counts as %s of %s', (address, network, site) => {
  expect([networkOf(address), siteOf(address)]).toEqual([network, site])
})
