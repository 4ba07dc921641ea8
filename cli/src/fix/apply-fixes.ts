import { applyEdits, type Edit, type Fix, type FixHints, proposeFixes } from '@assay/engine'
import type { Shown } from '../scan/outcome.ts'

/** What a scan of a changed text says: its findings, or that it can no longer be read. */
export type ScanText = (text: string) => readonly Shown[] | undefined

export interface AppliedFix {
  readonly title: string
  readonly finding: Shown
  readonly edits: readonly Edit[]
}

export interface Fixed {
  readonly text: string
  readonly applied: readonly AppliedFix[]
  /** Findings that have a patch by rule, of which none held when it was scanned again. */
  readonly refused: readonly Shown[]
}

/** A file with more patches than this is mended in several runs. */
const maxFixes = 200

/**
 * Applies one patch after the other. Each must hold by itself: the finding is gone, none has come, and the text still
 * parses; else the next proposal is tried, and after the last the text stays as it was.
 */
export function applyFixes(text: string, findings: readonly Shown[], scanText: ScanText, hints: FixHints): Fixed {
  const applied: AppliedFix[] = []
  const refused = new Map<string, Shown>()
  let current = { text, findings }
  for (let round = 0; round < maxFixes; round++) {
    const step = nextStep(current, refused, scanText, hints)
    if (!step) break
    applied.push(step.fix)
    current = step.after
  }
  return { text: current.text, applied, refused: [...refused.values()] }
}

export interface State {
  readonly text: string
  readonly findings: readonly Shown[]
}

function nextStep(
  state: State,
  refused: Map<string, Shown>,
  scanText: ScanText,
  hints: FixHints,
): { fix: AppliedFix; after: State } | undefined {
  for (const finding of state.findings) {
    if (refused.has(finding.fingerprint)) continue
    const fix = findFix(state, finding, scanText, hints)
    if (fix) return { fix: { title: fix.title, finding, edits: fix.edits }, after: fix.after }
    if (fix === null) refused.set(finding.fingerprint, finding)
  }
  return undefined
}

/** The first proposal that holds; null when there are some and none does, undefined when there is none. */
export function findFix(
  state: State,
  finding: Shown,
  scanText: ScanText,
  hints: FixHints,
): (Fix & { readonly after: State }) | null | undefined {
  const proposals = proposeFixes(state.text, finding, hints)
  for (const proposal of proposals) {
    const after = tryFix(state, finding, proposal, scanText)
    if (after) return { ...proposal, after }
  }
  return proposals.length > 0 ? null : undefined
}

function tryFix(state: State, finding: Shown, { edits }: Fix, scanText: ScanText): State | undefined {
  const text = applyEdits(state.text, edits)
  const findings = scanText(text)
  if (!findings || findings.some(({ fingerprint }) => fingerprint === finding.fingerprint)) return undefined
  return hasMore(findings, state.findings, finding) ? undefined : { text, findings }
}

/** By kind and function, not by fingerprint: a patched line is another text, and what was said of it before is not new. */
function hasMore(now: readonly Shown[], before: readonly Shown[], gone: Shown): boolean {
  const keyOf = ({ detector, contract, function: fn }: Shown) => `${detector}\0${contract ?? ''}\0${fn ?? ''}`
  const counts = new Map<string, number>()
  for (const finding of before) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1)
  counts.set(keyOf(gone), (counts.get(keyOf(gone)) ?? 0) - 1)
  for (const finding of now) {
    const left = (counts.get(keyOf(finding)) ?? 0) - 1
    if (left < 0) return true
    counts.set(keyOf(finding), left)
  }
  return false
}
