import { setFlagsFromString } from 'node:v8'
import type { ToCompile } from '@assay/engine'
import type { Io } from '../io.ts'
import { prepareProver } from '../prove/load-prover.ts'
import type { Program } from '../scan/programs.ts'

/** Why the changed files, and those that import them, do not compile; undefined when they do. */
export type CompileCheck = (program: Program, files: Program['files'], check: ToCompile) => Promise<string | undefined>

/** Compiles by the prover's compilers, where they are installed; undefined where they are not. */
export async function createCompileCheck(io: Io): Promise<CompileCheck | undefined> {
  // A compiler that is used once or twice is not worth optimizing.
  setFlagsFromString('--liftoff-only')
  const prover = await prepareProver(io)
  if (!prover.isInstalled()) return undefined
  return async ({ importTargets }, files, { changed, codeFor }) => {
    const needed = closure(closure(changed, importersIn(importTargets)), targetsIn(importTargets))
    const remappings = Object.entries(importTargets).flatMap(([file, targets]) =>
      Object.entries(targets).flatMap(([written, target]) =>
        needed.has(file) && !written.startsWith('.') ? [`${file}:${written}=${target}`] : [],
      ),
    )
    const compiled = files.filter(({ path }) => needed.has(path))
    return prover.whyNotCompiled(compiled, remappings, codeFor)
  }
}

type Edges = (path: string) => readonly string[]

const targetsIn =
  (importTargets: Program['importTargets']): Edges =>
  (path) =>
    Object.values(importTargets[path] ?? {})

function importersIn(importTargets: Program['importTargets']): Edges {
  const importers = new Map<string, string[]>()
  for (const [path, targets] of Object.entries(importTargets))
    for (const target of Object.values(targets)) importers.set(target, [...(importers.get(target) ?? []), path])
  return (path) => importers.get(path) ?? []
}

function closure(paths: Iterable<string>, next: Edges): ReadonlySet<string> {
  const reached = new Set(paths)
  // A set is walked also over what is added meanwhile.
  for (const path of reached) for (const other of next(path)) reached.add(other)
  return reached
}
