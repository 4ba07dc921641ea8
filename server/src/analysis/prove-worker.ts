import { type Evidence, provableFindings, type ScanResult, type WireFinding } from '@assay/engine'
import { importClosure, prove, selfContainedTest, usePackages } from '@assay/prover'
import { unpack } from '../core/stored.ts'
import { attachProof } from './attach-proof.ts'
import { readSources } from './read-sources.ts'
import { serveTasks } from './serve-tasks.ts'
import type { EvidenceProgress, FoundryTestTask, Proven, ProveTask } from './tasks.ts'

type OnEvidence = (found: EvidenceProgress) => void

/** Compilers and the EVM run here, apart from the scans: they need more memory, take longer, and may fail alone. */
function work(task: ProveTask | FoundryTestTask, onEvidence: OnEvidence): Promise<Proven | Uint8Array | undefined> {
  return task.task === 'prove' ? proveFindings(task, onEvidence) : writeTest(task)
}

const encoder = new TextEncoder()
const parseResult = (stored: Uint8Array): ScanResult => JSON.parse(unpack(stored).toString()) as ScanResult

/** Of a project each finding names its file. */
const pathOf = ({ file }: WireFinding): string => file ?? 'contract.sol'

const isProjectResult = (result: ScanResult): boolean => provableFindings(result).some((finding) => 'file' in finding)

async function proveFindings(task: ProveTask, report: OnEvidence): Promise<Proven> {
  usePackages(task.packagesFolder)
  const result = parseResult(task.result)
  const { files, remappings } = readSources(task.source, isProjectResult(result))
  const findings = provableFindings(result).map((finding) => ({
    path: pathOf(finding),
    finding: { ...finding, swc: finding.vulnerabilityId ?? null },
  }))
  const limits = { millisecondsPerScan: task.budgetMs, millisecondsPerFinding: Math.ceil(task.budgetMs / 2) }
  const onEvidence = (evidence: Evidence, index: number): void =>
    report({ index, evidence: encoder.encode(JSON.stringify(evidence)) })
  return attachProof(result, await prove(files, findings, { limits, remappings, onEvidence }), task)
}

/** Undefined: there is no such finding, or no attack on it. */
async function writeTest({
  result,
  source,
  fingerprint,
  packagesFolder,
}: FoundryTestTask): Promise<Uint8Array | undefined> {
  usePackages(packagesFolder)
  const parsed = parseResult(result)
  const finding = provableFindings(parsed).find((each) => each.fingerprint === fingerprint)
  if (!finding?.evidence?.foundryTest) return undefined
  const { files, remappings } = readSources(source, isProjectResult(parsed))
  const closure = importClosure(files, pathOf(finding), remappings)
  return encoder.encode(await selfContainedTest(finding.evidence, closure, remappings))
}

serveTasks(work)
