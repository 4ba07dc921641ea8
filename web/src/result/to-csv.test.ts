import { expect, test } from 'vitest'
import type { ViewFinding } from './scan-view.ts'
import { toCsv } from './to-csv.ts'

const finding: ViewFinding = {
  vulnerabilityId: 'SWC-107',
  name: 'Reentrancy',
  title: 'Reentrancy: state updated after external call',
  severity: 'critical',
  confidence: 'high',
  detector: 'reentrancy',
  contract: 'Vault',
  function: 'withdraw',
  line: 4,
  endLine: 4,
  message: 'It says "pay", then writes',
  recommendation: '',
  references: [],
  cwe: [],
  fingerprint: 'aa',
  trace: [],
}

test('quotes what has commas and quotes, one row a finding', () => {
  const lines = toCsv([{ finding, listed: 'weakness', key: 'aa' }], 'Vault, old.sol').split('\r\n')
  expect(lines[0]).toBe(
    'severity,confidence,id,detector,title,file,contract,function,line,message,fingerprint,status,reason,assignee,comment',
  )
  expect(lines[1]).toContain(',"Vault, old.sol",Vault,withdraw,4,"It says ""pay"", then writes",aa,,')
  expect(lines).toHaveLength(3)
})

test('a name that a spreadsheet would run is text', () => {
  const csv = toCsv([{ finding: { ...finding, contract: '=cmd()' }, listed: 'weakness', key: 'aa' }], 'Vault.sol')
  expect(csv).toContain(",'=cmd(),")
})

test('in a project each finding names its own file', () => {
  const csv = toCsv([{ finding: { ...finding, file: 'src/A.sol' }, listed: 'weakness', key: 'aa' }], 'vault.zip')
  expect(csv).toContain(',src/A.sol,Vault,')
  expect(csv).not.toContain('vault.zip')
})
