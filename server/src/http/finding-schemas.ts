import { z } from 'zod'
import { timestamp } from './fields.ts'
import { confidence, severity } from './scan-schemas.ts'

export const findingState = z.enum(['open', 'false-positive', 'accepted', 'fixed']).meta({ id: 'FindingState' })

export const findingRecord = z
  .object({
    id: z.string(),
    project: z
      .string()
      .nullable()
      .describe("Null where the scan was sent without one: then the record is the scan's own."),
    file: z.string(),
    fingerprint: z.string(),
    kind: z.enum(['vulnerability', 'advisory']),
    vulnerabilityId: z.string().nullable(),
    detector: z.string(),
    severity,
    confidence,
    title: z.string(),
    message: z.string(),
    contract: z.string().nullable(),
    function: z.string().nullable(),
    line: z.int(),
    state: findingState.describe(
      'What was decided; else how it is on the default branch; else, if it was never there, `open` while any other branch has it.',
    ),
    reason: z.string().nullable(),
    until: timestamp.nullable().describe('When the decision ends and the finding is open again.'),
    decidedBy: z
      .string()
      .nullable()
      .describe('The address or the API key of who decided; null where nobody did, or a scan saw it no more.'),
    decidedAt: timestamp.nullable(),
    assignee: z.string().nullable().describe('The email address of the member who works on it.'),
    comment: z.string().nullable(),
    firstScanId: z.string(),
    firstSeenAt: timestamp,
    lastScanId: z.string(),
    lastSeenAt: timestamp,
    refs: z
      .array(
        z.object({
          ref: z.string().nullable().describe('Null: scans that were sent without one.'),
          isDefault: z.boolean(),
          state: z.enum(['open', 'fixed']),
          lastScanId: z.string(),
          lastSeenAt: timestamp,
        }),
      )
      .describe('How it is on each branch, the one that saw it last first.'),
  })
  .meta({ id: 'FindingRecord' })

export const exampleRecord = {
  id: 'fnd_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
  project: 'vaults',
  file: 'src/Vault.sol',
  fingerprint: '5d1c0f8a2b7e4c9d8f3a6b1e0c7d9a42',
  kind: 'vulnerability',
  vulnerabilityId: 'SWC-107',
  detector: 'reentrancy',
  severity: 'critical',
  confidence: 'high',
  title: 'Reentrancy: state updated after external call',
  message: '`balances` is read before this external call and written after it.',
  contract: 'Vault',
  function: 'withdraw',
  line: 42,
  state: 'accepted',
  reason: 'behind a guard in the proxy',
  until: '2026-06-30T00:00:00.000Z',
  decidedBy: 'ada@example.com',
  decidedAt: '2026-03-11T09:00:00.000Z',
  assignee: 'grace@example.com',
  comment: 'The proxy is audited; see the report of March.',
  firstScanId: 'scn_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
  firstSeenAt: '2026-03-10T12:00:00.000Z',
  lastScanId: 'scn_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
  lastSeenAt: '2026-03-10T12:00:00.000Z',
  refs: [
    {
      ref: 'main',
      isDefault: true,
      state: 'open',
      lastScanId: 'scn_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
      lastSeenAt: '2026-03-10T12:00:00.000Z',
    },
  ],
}
