import type { InputFile } from '../model/index.ts'
import type { Place } from '../report/index.ts'
import { applyEdits, type Edit, type Fix, type FixHints, proposeFixes } from './propose-fixes.ts'

/** What of a finding decides whether it is gone, stayed or came. */
export interface FixableFinding extends Place {
  readonly detector: string
  readonly contract: string | null
  readonly function: string | null
  readonly fingerprint: string
}

export interface FixableProgram {
  readonly files: readonly InputFile[]
  /** Paths of the files to be patched. */
  readonly reported: readonly string[]
}

export interface Patch<Finding extends FixableFinding = FixableFinding> {
  readonly path: string
  readonly finding: Finding
  readonly fix: Fix
}

/** Findings by path of the files to be reported; undefined for one that cannot be read any more. */
export type FindingsByPath<Finding> = ReadonlyMap<string, readonly Finding[] | undefined>

export interface Fixing<Finding extends FixableFinding> extends FixHints {
  readonly withUnsafe: boolean
  /** A patched line may have another patch; after so many rounds the rest is for the next run. */
  readonly rounds?: number
  isWanted(finding: Finding): boolean
  scan(files: readonly InputFile[]): FindingsByPath<Finding> | Promise<FindingsByPath<Finding>>
  /** Why the changed files, and those that import them, do not compile; undefined when they do. Absent: there is no compiler. */
  compile?(files: readonly InputFile[], check: ToCompile): Promise<string | undefined>
}

export interface ToCompile {
  /** Paths of the files to check, with what imports them. */
  readonly changed: readonly string[]
  /** Of these, where a patch makes other code, which may not fit the stack. */
  readonly codeFor: readonly string[]
}

/** Of the patched files. `unneeded`: only pragmas were pinned, to a version that all files admit. */
export type Compilation = 'compiled' | 'unneeded' | 'no-compiler' | 'failed-before'

export interface FixedProgram<Finding extends FixableFinding> {
  /** By path, of the files that changed. */
  readonly texts: ReadonlyMap<string, string>
  readonly applied: readonly Patch<Finding>[]
  /** Patches of which the finding stayed, another came, or the file no longer parses or compiles. */
  readonly refused: readonly Patch<Finding>[]
  /** Patches for which there was no scan left. */
  readonly untriedCount: number
  readonly compilation: Compilation
}

type Texts = ReadonlyMap<string, string>

const usualRounds = 3
/** Scans of the whole program, the first one included. */
const maxScans = 6

/**
 * All patches at once, and one scan of the result: it names the patches whose finding stayed, and the function in which a new
 * one came. The others are tried again without these. Where nothing can be blamed, halves are tried; the number of scans is
 * bounded.
 */
export async function fixProgram<Finding extends FixableFinding>(
  program: FixableProgram,
  fixing: Fixing<Finding>,
): Promise<FixedProgram<Finding>> {
  let texts: Texts = new Map(program.files.map(({ path, text }) => [path, text]))
  let scans = 1
  let findings = await fixing.scan(program.files)
  const applied: Patch<Finding>[] = []
  const refused = new Map<string, Patch<Finding>>()
  let untriedCount = 0
  let compilation: Compilation = 'unneeded'
  for (let round = 0; round < (fixing.rounds ?? usualRounds); round++) {
    const base = { texts, findings }
    const kept: Patch<Finding>[] = []
    let state = base
    const queue: (readonly Patch<Finding>[])[] = [propose(program.reported, base, refused, fixing)]
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
      const blamed = blame(base.findings, after, batch, kept)
      const compiled =
        blamed === undefined && (await compileAfter(program, files, [...applied, ...kept, ...batch], fixing))
      if (compiled) {
        kept.push(...batch)
        state = { texts: tried, findings: after }
        compilation = compiled
      } else if (batch.length === 1) for (const patch of batch) refused.set(keyOf(patch), patch)
      else {
        const { stayed = [], suspects = [] } = blamed ?? {}
        for (const patch of stayed) refused.set(keyOf(patch), patch)
        const others = batch.filter((patch) => !stayed.includes(patch) && !suspects.includes(patch))
        // Without anyone to blame the others are what was just tried.
        if (others.length === batch.length) queue.unshift(...halvesOf(batch))
        else queue.unshift(others, ...(others.length === 0 ? halvesOf(suspects) : [suspects]))
      }
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

const pathsOf = (patches: readonly Patch[]): string[] => [...new Set(patches.map(({ path }) => path))]

/** Whether the patched files compile; false when they do not and did before. A compiler says nothing new about a pinned pragma. */
async function compileAfter<Finding extends FixableFinding>(
  { files: before }: FixableProgram,
  files: readonly InputFile[],
  patches: readonly Patch<Finding>[],
  { compile }: Fixing<Finding>,
): Promise<Compilation | false> {
  const changed = pathsOf(patches.filter(({ finding }) => finding.detector !== 'floating-pragma'))
  if (changed.length === 0) return 'unneeded'
  if (!compile) return 'no-compiler'
  const check = { changed, codeFor: pathsOf(patches.filter(({ fix }) => !fix.keepsCode)) }
  if ((await compile(files, check)) === undefined) return 'compiled'
  return (await compile(before, check)) === undefined ? false : 'failed-before'
}

const keyOf = ({ path, finding }: { readonly path: string; readonly finding: FixableFinding }): string =>
  `${path}\0${finding.fingerprint}`

/** One patch for each finding that has one; of two that touch the same text the first. */
function propose<Finding extends FixableFinding>(
  paths: readonly string[],
  { texts, findings }: { texts: Texts; findings: FindingsByPath<Finding> },
  refused: ReadonlyMap<string, Patch<Finding>>,
  { isWanted, withUnsafe, ...hints }: Fixing<Finding>,
): Patch<Finding>[] {
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

interface Blame<Finding extends FixableFinding> {
  /** Patches whose finding is still there. */
  readonly stayed: readonly Patch<Finding>[]
  /** Patches in a file that cannot be read any more, or in whose function a finding came; failing those, in its file. */
  readonly suspects: readonly Patch<Finding>[]
}

/** What a scan has against the patches of a batch; undefined: nothing. */
function blame<Finding extends FixableFinding>(
  before: FindingsByPath<Finding>,
  after: FindingsByPath<Finding>,
  batch: readonly Patch<Finding>[],
  kept: readonly Patch<Finding>[],
): Blame<Finding> | undefined {
  const stayed: Patch<Finding>[] = []
  const suspects = new Set<Patch<Finding>>()
  let isBad = false
  for (const [path, now] of after) {
    const was = before.get(path)
    // What could not be read before has no patch.
    if (was === undefined) continue
    const inFile = [...kept, ...batch].filter((patch) => patch.path === path)
    const isThere = ({ finding }: Patch<Finding>) =>
      now?.some(({ fingerprint }) => fingerprint === finding.fingerprint) === true
    const unfixed = inFile.filter(isThere)
    stayed.push(...unfixed.filter((patch) => batch.includes(patch)))
    const gone = inFile.filter((patch) => !unfixed.includes(patch)).map(({ finding }) => finding)
    const fresh = now ? moreThan(now, was, gone) : undefined
    if (fresh?.length === 0 && unfixed.length === 0) continue
    isBad = true
    for (const patch of suspectsOf(inFile, fresh)) if (batch.includes(patch)) suspects.add(patch)
  }
  return isBad ? { stayed, suspects: [...suspects].filter((patch) => !stayed.includes(patch)) } : undefined
}

/** Of these patches those in the function of a new finding, else all; all too in a file that cannot be read. */
function suspectsOf<Finding extends FixableFinding>(
  patches: readonly Patch<Finding>[],
  fresh: readonly Finding[] | undefined,
): readonly Patch<Finding>[] {
  if (fresh === undefined) return patches
  return fresh.flatMap((finding) => {
    const beside = patches.filter(({ finding: { contract, function: fn } }) => {
      return fn !== null && contract === finding.contract && fn === finding.function
    })
    return beside.length > 0 ? beside : patches
  })
}

function halvesOf<Finding extends FixableFinding>(batch: readonly Patch<Finding>[]): Patch<Finding>[][] {
  const half = Math.ceil(batch.length / 2)
  return [batch.slice(0, half), batch.slice(half)]
}

const kindOf = ({ detector, contract, function: fn }: FixableFinding): string =>
  `${detector}\0${contract ?? ''}\0${fn ?? ''}`

/** By kind and function, not by fingerprint: a patched line is another text, and what was said of it before is not new. */
function moreThan<Finding extends FixableFinding>(
  now: readonly Finding[],
  before: readonly Finding[],
  gone: readonly Finding[],
): Finding[] {
  const counts = new Map<string, number>()
  const add = (finding: Finding, count: number): number => {
    const sum = (counts.get(kindOf(finding)) ?? 0) + count
    counts.set(kindOf(finding), sum)
    return sum
  }
  for (const finding of before) add(finding, 1)
  for (const finding of gone) add(finding, -1)
  // A pinned pragma names the compiler that the project has, however old: that is no newer than before.
  const isPinned = gone.some(({ detector }) => detector === 'floating-pragma')
  return now.filter((finding) => add(finding, -1) < 0 && !(isPinned && finding.detector === 'outdated-compiler'))
}
