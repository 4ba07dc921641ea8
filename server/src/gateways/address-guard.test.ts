import { expect, test } from 'vitest'
import { createAddressGuard, parseSubnet } from './address-guard.ts'

const guard = createAddressGuard()

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
])('%s is out in public', (address) => expect(guard.isAllowed(address)).toBe(true))

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '100::1',
  '2001:0:1::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '[::1]',
  'localhost',
  '',
])('%s is refused', (address) => expect(guard.isAllowed(address)).toBe(false))

test('an operator can open a subnet, and that one only', () => {
  const opened = createAddressGuard({ allowedSubnets: ['10.1.0.0/16', 'fd12::/48', '192.168.7.7'] })
  expect(opened.isAllowed('10.1.2.3')).toBe(true)
  expect(opened.isAllowed('::ffff:10.1.2.3')).toBe(true)
  expect(opened.isAllowed('fd12::5')).toBe(true)
  expect(opened.isAllowed('192.168.7.7')).toBe(true)
  expect(opened.isAllowed('10.2.0.1')).toBe(false)
  expect(opened.isAllowed('192.168.7.8')).toBe(false)
  expect(opened.isAllowed('127.0.0.1')).toBe(false)
})

test('loopback opens for development, the rest stays shut', () => {
  const development = createAddressGuard({ isLoopbackAllowed: true })
  expect(development.isAllowed('127.0.0.1')).toBe(true)
  expect(development.isAllowed('::1')).toBe(true)
  expect(development.isAllowed('10.0.0.1')).toBe(false)
  expect(development.isAllowed('169.254.169.254')).toBe(false)
})

test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0/8', 'host/8', '10.0.0.0/8/8', '10.0.0.0/-1'])(
  '%s is no subnet',
  (text) => expect(parseSubnet(text)).toBeUndefined(),
)
