import { detectors } from '@assay/engine'
import { expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'

test.each([['floating-pragma'], ['SWC-103'], ['swc-103'], ['103']])('explain %s', async (name) => {
  const { code, out } = await assay(['explain', name])
  expect(code).toBe(0)
  expect(out).toContain('Floating Pragma')
  expect(out).toContain('How to mend it')
  expect(out).toContain('https://')
})

test('an unknown name gets a hint', async () => {
  const { code, err } = await assay(['explain', 'floating-pragm'])
  expect(code).toBe(2)
  expect(err).toContain('Did you mean floating-pragma?')
})

test('detectors lists every detector, those of the registry first', async () => {
  const { out } = await assay(['detectors'])
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(detectors.length)
  expect(lines.join('\n')).toMatch(/SWC-103 +high +floating-pragma /)
  const firstAdvisory = lines.findIndex((line) => line.startsWith('–'))
  if (firstAdvisory >= 0) expect(lines.slice(firstAdvisory).every((line) => line.startsWith('–'))).toBe(true)
})

test('detectors --format json is data', async () => {
  const { out } = await assay(['detectors', '--format', 'json'])
  const list = (JSON.parse(out) as { detectors: { id: string; severity: string }[] }).detectors
  expect(list).toContainEqual(expect.objectContaining({ id: 'floating-pragma', swc: 'SWC-103', severity: 'high' }))
})
