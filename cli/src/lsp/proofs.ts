import type { Evidence } from '@assay/engine'
import { provableFindings } from '@assay/engine/results'
import type { CodeLens } from 'vscode-languageserver/node'
import type { Io } from '../io.ts'
import { server as texts } from '../messages/lsp.ts'
import { prepareProver } from '../prove/load-prover.ts'
import { isScanned, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { toRange } from './diagnostics.ts'

/** What the editor calls to have the findings of a file executed; its argument is the address of the file. */
export const proveCommand = 'assay.prove'

const secondsPerFinding = 10

/** What executing the findings of files has shown, by fingerprint: it stays while the code of a finding does. */
export interface Proofs {
  /** Executes the findings of a scan; what it shows is read by `lensesFor`. */
  run(scan: ProjectScan): Promise<void>
  /** Above each finding that can be executed: what that has shown, or the offer to do it. */
  lensesFor(findings: readonly Shown[], uri: string): Promise<CodeLens[]>
}

export function createProofs(io: Io): Proofs {
  const known = new Map<string, Evidence>()
  return {
    async run(scan) {
      const { outcomes } = await proveFindings(scan, { seconds: secondsPerFinding, seed: 1 }, io)
      for (const { result } of outcomes.filter(isScanned))
        for (const { fingerprint, evidence } of provableFindings(result)) if (evidence) known.set(fingerprint, evidence)
    },
    async lensesFor(findings, uri) {
      const canProve = (await prepareProver(io)).isInstalled()
      return findings.flatMap((finding) => {
        const evidence = known.get(finding.fingerprint)
        if (!evidence && !(canProve && isSevere(finding))) return []
        return [
          { range: toRange(finding), command: { title: titleOf(evidence), command: proveCommand, arguments: [uri] } },
        ]
      })
    },
  }
}

/** An offer above every note would only be in the way. */
const isSevere = ({ severity }: Shown): boolean => severity === 'critical' || severity === 'high'

function titleOf(evidence: Evidence | undefined): string {
  if (!evidence) return texts.verifyByExecuting
  return evidence.status === 'confirmed' ? texts.verifiedExploit(evidence.summary) : texts.notVerified(evidence.summary)
}
