import { expect, test } from 'vitest'
import {
  attachEvidence,
  type Evidence,
  evidenceLine,
  scan,
  toHtml,
  toMarkdown,
  toSarif,
  toScanResult,
} from '../index.ts'

const confirmed: Evidence = {
  status: 'confirmed',
  summary: 'an outsider without any role took 2.5 ether that others had put in',
  scene: [],
  steps: [
    {
      actor: 'attacker',
      call: 'Till.take(uint256)',
      arguments: ['7'],
      value: '1000000000000000000',
      effect: 'succeeds <b>',
    },
  ],
  balances: [
    { holder: 'Till', before: '2500000000000000000', after: '0' },
    { holder: 'attacker', before: '0', after: '2500000000000000000' },
    { holder: 'alice', before: '5', after: '5' },
    { holder: 'attacker', token: 'Coin', before: '0', after: '7' },
  ],
  control: { change: 'without the flagged call', result: 'nothing changes' },
  callsTried: 3,
  seed: 1,
  compiler: '0.8.30',
  foundryTest: null,
}

const result = () => {
  const text =
    'pragma solidity 0.8.30; contract Till { function take(uint n) external { payable(msg.sender).transfer(n); } }'
  const plain = toScanResult(scan(text), { scanId: 'x', file: 'Till.sol' })
  const at = plain.dataVulnerabilities.findIndex(({ vulnerabilityId }) => vulnerabilityId === 'SWC-105')
  expect(at).toBeGreaterThanOrEqual(0)
  return { plain, at, proven: attachEvidence(plain, [...Array(at).fill(undefined), confirmed]) }
}

test('evidence is put on the finding it belongs to, and changes nothing else', () => {
  const { plain, at, proven } = result()
  expect(proven.dataVulnerabilities[at]?.evidence).toEqual(confirmed)
  const { evidence, ...rest } = proven.dataVulnerabilities[at] as (typeof proven.dataVulnerabilities)[number]
  expect(evidence).toEqual(confirmed)
  expect(rest).toEqual(plain.dataVulnerabilities[at])
  expect(proven.securityScore).toEqual(plain.securityScore)
})

test('SARIF carries evidence in the properties and ranks what was confirmed first', () => {
  const { at, proven } = result()
  const { runs } = toSarif([proven], { version: '1.0.0' }) as {
    runs: { results: { rank?: number; ruleId: string; properties: Record<string, unknown> }[] }[]
  }
  const results = runs[0]?.results ?? []
  const own = results.find(({ ruleId }) => ruleId === proven.dataVulnerabilities[at]?.detector)
  expect(own?.rank).toBe(100)
  expect(own?.properties.evidence).toEqual(confirmed)
  expect(results.filter(({ rank }) => rank === 100)).toHaveLength(1)
})

test('Markdown and HTML tell the steps, HTML draws the balances, and neither lets markup through', () => {
  const { proven } = result()
  const markdown = toMarkdown([proven])
  expect(markdown).toContain('Verified exploit')
  expect(markdown).not.toContain('<b>')
  const html = toHtml([proven])
  expect(html).toContain('Verified exploit')
  expect(html).toContain('succeeds &lt;b&gt;')
  expect(html.match(/<rect class="(gain|loss)"/g)).toHaveLength(3)
  // Each asset has a scale of its own.
  expect(html.match(/<rect class="gain" [^>]*width="125"/g)).toHaveLength(2)
  expect(html).toContain('7 units of Coin')
})

test('a step is one line', () => {
  expect(evidenceLine(confirmed.steps[0] as Evidence['steps'][number])).toBe(
    'attacker: Till.take(uint256) [7] with 1 ether → succeeds <b>',
  )
  const step = { ...confirmed.steps[0], value: '1000', effect: 'succeeds: Till +1000 wei' }
  expect(evidenceLine(step as Evidence['steps'][number])).toBe(
    'attacker: Till.take(uint256) [7] with 1000 wei → succeeds: Till +1000 wei',
  )
})
