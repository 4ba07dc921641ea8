import { expect, test } from 'vitest'
import { type FindingRecord, recordsToCsv } from './records-csv.ts'

test('each finding with its decision, and nothing that a spreadsheet would run', () => {
  const finding = {
    id: 'fnd_1',
    project: 'vault',
    file: 'src/Vault.sol',
    line: 14,
    severity: 'high',
    confidence: 'high',
    vulnerabilityId: 'SWC-107',
    detector: 'reentrancy',
    title: 'Reentrancy',
    message: 'The `call` comes first, then the write',
    contract: 'Vault',
    function: 'withdraw',
    state: 'accepted',
    reason: '=HYPERLINK("x")',
    decidedBy: 'ada@example.com',
    decidedAt: '2026-03-10T12:00:00.000Z',
    until: null,
    assignee: 'grace@example.com',
    comment: 'ask, then decide',
    firstSeenAt: '2026-03-01T12:00:00.000Z',
    lastSeenAt: '2026-03-10T12:00:00.000Z',
  } as FindingRecord
  const [head, row] = recordsToCsv([finding]).trim().split(/\r?\n/)
  expect(head).toContain('status,reason,decided by')
  expect(row).toContain('accepted')
  expect(row).toContain(',grace@example.com,"ask, then decide",')
  expect(row).toContain('The call comes first, then the write')
  expect(row).not.toContain(',=HYPERLINK')
  expect(row).not.toMatch(/,"=HYPERLINK/)
})
