import { attachEvidence, provableFindings } from '@assay/engine/results'
import type { Io } from '../io.ts'
import type { Boundary } from '../project/boundary.ts'
import { howToInstall, prepareProver } from '../prove/load-prover.ts'
import { readHints } from '../prove/read-hints.ts'
import { runProof } from '../prove/run-proof.ts'
import { isScanned, type Outcome, type ProjectScan, type Scanned } from './outcome.ts'
import type { Program } from './programs.ts'

export interface ProofRequest {
  /** CPU time for one finding. */
  readonly seconds: number
  readonly seed: number
  /** What may be read of the project's tests and scripts. */
  readonly boundary?: Boundary
  onEvidence?(done: number, total: number): void
}

type Files = Program['files']

/** Hands the findings of a scan to the prover, file by file, and puts its evidence on them. */
export async function proveFindings(scan: ProjectScan, request: ProofRequest, io: Io): Promise<ProjectScan> {
  const packagesFolder = (await prepareProver(io)).findPackages()
  const hints = request.boundary ? await readHints(scan.project, request.boundary) : []
  const total = scan.outcomes.filter(isScanned).reduce((sum, { result }) => sum + provableFindings(result).length, 0)
  let done = 0
  const outcomes: Outcome[] = []
  for (const outcome of scan.outcomes) {
    if (!isScanned(outcome) || provableFindings(outcome.result).length === 0) {
      outcomes.push(outcome)
      continue
    }
    const { files, remappings } = closureOf(outcome, scan.programs)
    const findings = provableFindings(outcome.result).map((finding) => ({
      path: outcome.path,
      finding: { ...finding, swc: finding.vulnerabilityId ?? null },
    }))
    const millisecondsPerFinding = 1000 * request.seconds
    const limits = { millisecondsPerFinding, millisecondsPerScan: millisecondsPerFinding * findings.length }
    const options = { remappings, howToInstall: howToInstall(), seed: request.seed, limits, hints }
    const task = { files, findings, options, packagesFolder }
    const evidence = await runProof(task, () => request.onEvidence?.(++done, total))
    outcomes.push({ ...outcome, result: attachEvidence(outcome.result, evidence) })
  }
  return { ...scan, outcomes }
}

/** A file with all that it imports, and how its imports lead there. */
export function closureOf(
  { path, text }: Pick<Scanned, 'path' | 'text'>,
  programs: readonly Program[],
): { files: Files; remappings: string[] } {
  const program = programs.find(({ reported }) => reported.includes(path))
  if (!program) return { files: [{ path, text }], remappings: [] }
  const needed = new Set([path])
  const remappings: string[] = []
  // A set is walked also over what is added meanwhile.
  for (const file of needed) {
    for (const [written, target] of Object.entries(program.importTargets[file] ?? {})) {
      needed.add(target)
      if (!written.startsWith('.')) remappings.push(`${file}:${written}=${target}`)
    }
  }
  return { files: program.files.filter((file) => needed.has(file.path)), remappings }
}
