/** What `explain` says, as far as it is of interest here. */
export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

/** Tables that hold rows of every account, by the thousand. */
const shared = new Set([
  'ai_reports',
  'finding_refs',
  'findings',
  'scan_batches',
  'scan_bodies',
  'scan_labels',
  'scan_requests',
  'scans',
  'security_events',
])

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The indexes in use, and the tables of all accounts that are read as a whole. */
export function summarize(plans: readonly Plan[]): { words: string; whole: string[] } {
  const nodes = plans.flatMap(nodesOf)
  const whole = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && shared.has(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? '')
  const indexes = [...new Set(nodes.map((node) => node['Index Name']).filter((name) => name !== undefined))]
  return { words: indexes.join(', ') || 'no table of many accounts', whole: [...new Set(whole)] }
}
