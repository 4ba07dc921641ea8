import { applyEdits, type Edit, type Fix, type FixHints, proposeFixes } from '@assay/engine'
import type { Shown } from '../scan/outcome.ts'
import type { Program } from '../scan/programs.ts'

export interface Patch {
  readonly path: string
  readonly finding: Shown
  readonly fix: Fix
}

export interface Fixing extends FixHints {
  readonly withUnsafe: boolean
  /** A patched line may have another patch; after so many rounds the rest is for the next run. */
  readonly rounds?: number
  isWanted(finding: Shown): boolean
  /** Findings by path of the files to be reported; undefined for one that cannot be read any more. */
  scan(files: Program['files']): Promise<ReadonlyMap<string, readonly Shown[] | undefined>>
  /** Why the files do not compile, with code for those in `codeFor`; undefined when they do. Absent: there is no compiler. */
  compile?(files: Program['files'], codeFor: readonly string[]): Promise<string | undefined>
}

/** Of the patched files. `unneeded`: only pragmas were pinned, to a version that all files admit. */
export type Compilation = 'compiled' | 'unneeded' | 'no-compiler' | 'failed-before'

export interface FixedProgram {
  /** By path, of the files that changed. */
  readonly texts: ReadonlyMap<string, string>
  readonly applied: readonly Patch[]
  /** Patches of which the finding stayed, another came, or the file no longer parses or compiles. */
  readonly refused: readonly Patch[]
  /** Patches for which there was no scan left. */
  readonly untriedCount: number
  readonly compilation: Compilation
}

type Texts = ReadonlyMap<string, string>
type Findings = ReadonlyMap<string, readonly Shown[] | undefined>

const usualRounds = 3
/** Scans of the whole program, the first one included. */
const maxScans = 16

/**
 * All patches at once, and one scan of the result: what a patch changes is its own file as a rule, so one scan says of each
 * whether its finding is gone and none has come. Only those of a file in which something went wrong are tried in halves.
 */
export async function fixProgram(program: Program, fixing: Fixing): Promise<FixedProgram> {
  let texts: Texts = new Map(program.files.map(({ path, text }) => [path, text]))
  let scans = 1
  let findings = await fixing.scan(program.files)
  const applied: Patch[] = []
  const refused = new Map<string, Patch>()
  let untriedCount = 0
  let compilation: Compilation = 'unneeded'
  for (let round = 0; round < (fixing.rounds ?? usualRounds); round++) {
    const base = { texts, findings }
    const kept: Patch[] = []
    let state = base
    const queue: Patch[][] = [propose(program.reported, base, refused, fixing)]
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      if (batch.length === 0) continue
      if (scans >= maxScans) {
        untriedCount += batch.length
        continue
      }
      const tried = applyAll(base.texts, [...kept, ...batch])
      const files = program.files.map(({ path }) => ({ path, text: tried.get(path) ?? '' }))
      scans++
      const after = await fixing.scan(files)
      const bad = badFiles(base.findings, after, [...kept, ...batch])
      const compiled = bad.size === 0 && (await compileAfter(program, files, fixing))
      if (compiled) {
        kept.push(...batch)
        state = { texts: tried, findings: after }
        compilation = compiled
      } else if (batch.length === 1) for (const patch of batch) refused.set(keyOf(patch), patch)
      else queue.unshift(...split(batch, bad))
    }
    if (kept.length === 0) break
    applied.push(...kept)
    texts = state.texts
    findings = state.findings
  }
  const changed = program.files.filter(({ path, text }) => texts.get(path) !== text).map(({ path }) => path)
  return {
    texts: new Map(changed.map((path) => [path, texts.get(path) ?? ''])),
    applied,
    refused: [...refused.values()],
    untriedCount,
    compilation,
  }
}

const withoutPragmas = (text: string): string => text.replace(/pragma\s+solidity[^;]*;/g, '')

/** Whether the patched files compile; false when they do not and did before. A compiler says nothing new about a pinned pragma. */
async function compileAfter(
  { files: before }: Program,
  files: Program['files'],
  { compile }: Fixing,
): Promise<Compilation | false> {
  const texts = new Map(before.map(({ path, text }) => [path, withoutPragmas(text)]))
  const changed = files.flatMap(({ path, text }) => (texts.get(path) === withoutPragmas(text) ? [] : [path]))
  if (changed.length === 0) return 'unneeded'
  if (!compile) return 'no-compiler'
  if ((await compile(files, changed)) === undefined) return 'compiled'
  return (await compile(before, changed)) === undefined ? false : 'failed-before'
}

const keyOf = ({ path, finding }: Pick<Patch, 'path' | 'finding'>): string => `${path}\0${finding.fingerprint}`

/** One patch for each finding that has one; of two that touch the same text the first. */
function propose(
  paths: readonly string[],
  { texts, findings }: { texts: Texts; findings: Findings },
  refused: ReadonlyMap<string, Patch>,
  { isWanted, withUnsafe, ...hints }: Fixing,
): Patch[] {
  return paths.flatMap((path) => {
    const text = texts.get(path) ?? ''
    const taken: Edit[] = []
    return (findings.get(path) ?? []).flatMap((finding) => {
      if (!isWanted(finding) || refused.has(keyOf({ path, finding }))) return []
      const fix = proposeFixes(text, finding, hints).find(({ safety }) => withUnsafe || safety === 'safe')
      if (!fix || fix.edits.some((edit) => taken.some((other) => touches(edit, other)))) return []
      taken.push(...fix.edits)
      return [{ path, finding, fix }]
    })
  })
}

const touches = (a: Edit, b: Edit): boolean => a.start <= b.end && b.start <= a.end

function applyAll(texts: Texts, patches: readonly Patch[]): Texts {
  const changed = new Map(texts)
  for (const path of new Set(patches.map((patch) => patch.path))) {
    const edits = patches.filter((patch) => patch.path === path).flatMap(({ fix }) => fix.edits)
    changed.set(path, applyEdits(texts.get(path) ?? '', edits))
  }
  return changed
}

/** Files in which a finding stayed or came, or that cannot be read any more. */
function badFiles(before: Findings, after: Findings, patches: readonly Patch[]): Set<string> {
  const bad = new Set<string>()
  for (const [path, now] of after) {
    // What could not be read before has no patch.
    if (before.get(path) === undefined) continue
    const gone = patches.filter((patch) => patch.path === path).map(({ finding }) => finding)
    const isGone = (wanted: Shown) => !now?.some(({ fingerprint }) => fingerprint === wanted.fingerprint)
    if (!now || !gone.every(isGone) || hasMore(now, before.get(path) ?? [], gone)) bad.add(path)
  }
  return bad
}

/** Those of good files together, those of bad ones in halves; where it shows in others' files, all in halves. */
function split(batch: readonly Patch[], bad: ReadonlySet<string>): Patch[][] {
  const suspects = batch.filter(({ path }) => bad.has(path))
  const others = batch.filter(({ path }) => !bad.has(path))
  const halved = suspects.length > 0 && others.length > 0 ? suspects : batch
  const half = Math.ceil(halved.length / 2)
  return [halved === batch ? [] : others, halved.slice(0, half), halved.slice(half)]
}

/** By kind and function, not by fingerprint: a patched line is another text, and what was said of it before is not new. */
function hasMore(now: readonly Shown[], before: readonly Shown[], gone: readonly Shown[]): boolean {
  const kindOf = ({ detector, contract, function: fn }: Shown) => `${detector}\0${contract ?? ''}\0${fn ?? ''}`
  const counts = new Map<string, number>()
  const add = (finding: Shown, count: number) => counts.set(kindOf(finding), (counts.get(kindOf(finding)) ?? 0) + count)
  for (const finding of before) add(finding, 1)
  for (const finding of gone) add(finding, -1)
  for (const finding of now) add(finding, -1)
  return [...counts.values()].some((count) => count < 0)
}
