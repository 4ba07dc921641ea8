import { type Severity, severities } from '../components/severities.ts'
import { isSetAside } from './decisions.ts'
import type { Listed, ListedFinding } from './scan-view.ts'

export const groupings = ['kind', 'contract', 'file'] as const
export type Grouping = (typeof groupings)[number]

export interface Group {
  key: string
  title: string
  /** The most severe in it. */
  severity: Severity
  items: ListedFinding[]
}

/** Groups in the order of their first finding; `items` come ordered, so the most severe group leads. */
export function groupFindings(items: readonly ListedFinding[], grouping: Grouping): Group[] {
  const groups = new Map<string, Group>()
  for (const item of items) {
    const { key, title } = groupOf(item, grouping)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { key, title, severity: item.finding.severity, items: [item] })
    else {
      group.items.push(item)
      group.severity = worse(group.severity, item.finding.severity)
    }
  }
  return [...groups.values()]
}

/** What a reader sees above a group, with the count behind it: `Critical · Integer overflow and underflow · 24`. */
export const groupLabel = ({ title, severity }: Group): string =>
  `${severity[0]?.toUpperCase()}${severity.slice(1)} · ${title}`

const listNames: Record<Listed, string> = { weakness: '', advisory: '', suppressed: 'suppressed', model: 'AI only' }

function groupOf(item: ListedFinding, grouping: Grouping): { key: string; title: string } {
  const { finding } = item
  switch (grouping) {
    case 'kind': {
      // What was set aside stands apart: it is there to be looked up, not to be worked on.
      const list = isSetAside(item)
        ? 'dismissed'
        : item.state === 'fixed'
          ? 'fixed'
          : finding.kind === 'review'
            ? 'needs review'
            : listNames[item.listed]
      return {
        key: `${list}/${finding.severity}/${finding.detector || finding.title}`,
        title: `${finding.title}${list && ` (${list})`}`,
      }
    }
    case 'contract': {
      const name = finding.contract ?? 'outside contracts'
      return { key: `${finding.file ?? ''}/${name}`, title: name }
    }
    case 'file':
      return { key: finding.file ?? '', title: finding.file ?? 'this file' }
  }
}

const worse = (a: Severity, b: Severity): Severity => (severities.indexOf(a) <= severities.indexOf(b) ? a : b)
