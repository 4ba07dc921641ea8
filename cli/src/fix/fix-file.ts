import type { Shown } from '../scan/outcome.ts'
import type { Program } from '../scan/programs.ts'
import { applyFixes, type Fixed } from './apply-fixes.ts'
import { scanOne } from './verified-fixes.ts'

export const textOf = ({ files }: Program, path: string): string => files.find((file) => file.path === path)?.text ?? ''

/** One file with every patch that holds; undefined when it cannot be read. */
export function fixFile(
  path: string,
  program: Program,
  isWanted: (finding: Shown) => boolean,
  compilerVersions: readonly string[],
): Fixed | undefined {
  const scanText = (text: string) => scanOne(program, path, text)?.filter(isWanted)
  const text = textOf(program, path)
  const findings = scanText(text)
  return findings && applyFixes(text, findings, scanText, { compilerVersions })
}
