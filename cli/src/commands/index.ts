import type { Command } from '../command.ts'
import { detectors } from './detectors.ts'
import { diffStorage } from './diff-storage.ts'
import { explain } from './explain.ts'
import { fetchSources } from './fetch.ts'
import { fix } from './fix.ts'
import { hunt } from './hunt.ts'
import { lsp } from './lsp.ts'
import { mcp } from './mcp.ts'
import { newRule } from './new-rule.ts'
import { prove } from './prove.ts'
import { scan } from './scan.ts'
import { show } from './show.ts'
import { testRules } from './test-rules.ts'
import { triage } from './triage.ts'

/** Every command, in the order in which help and reference show them. */
export const commands = [
  scan,
  prove,
  hunt,
  explain,
  detectors,
  triage,
  fix,
  show,
  fetchSources,
  diffStorage,
  newRule,
  testRules,
  lsp,
  mcp,
] as unknown as readonly Command[]
