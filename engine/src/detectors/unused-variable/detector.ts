import { defineDetector, type Hit } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { type Unused, unusedEvents, unusedLocals, unusedState } from './unused.ts'

const words: Readonly<Record<string, string>> = { state: 'State variable', parameter: 'Parameter', local: 'Variable' }

const describe = ({ kind, declared }: Unused): string => {
  if (kind === 'event') return `Event \`${declared.name}\` is never emitted, so off-chain listeners never see it.`
  const { role, name, visibility, isConstant } = declared
  const isUnset = visibility === 'public' && !isConstant
  const unusedAs =
    role === 'state' && !isConstant
      ? 'used: it is dead code, a reserved storage slot, or its use was forgotten'
      : 'used, so it is dead code or its use was forgotten'
  return `${isConstant ? 'Constant' : (words[role] ?? 'Variable')} \`${name}\` is never ${isUnset ? 'set, so it is always zero' : unusedAs}.`
}

const stateFix = 'Use it as intended, or remove it; in a contract behind a proxy keep its storage slot.'

/** What is not a variable is called and fixed differently. */
const namedFor = ({ kind, declared }: Unused): Pick<Hit, 'title' | 'recommendation'> => {
  if (kind === 'event') return { title: 'Unused event', recommendation: 'Emit it where it happens, or remove it.' }
  if (declared.role === 'state' && !declared.isConstant) return { recommendation: stateFix }
  if (declared.role !== 'parameter') return {}
  return { title: 'Unused parameter', recommendation: 'Use it as intended, leave it unnamed, or remove it.' }
}

export default defineDetector<Unused>({
  id: 'unused-variable',
  swc: 'SWC-131',
  title: 'Unused variable',
  aliases: {
    slither: ['unused-state'],
    aderyn: ['unused-state-variable'],
    scwe: ['SCWE-007'],
    words: ['unused', 'unused event', 'dead variable'],
  },
  severity: 'info',
  confidence: 'high',
  description:
    'A variable or event is declared but never used. It costs gas, confuses readers and may indicate a forgotten check.',
  recommendation: 'Remove it, or use it as intended.',
  references: ['https://swcregistry.io/docs/SWC-131'],
  cwe: ['CWE-1164'],
  yieldsTo: ['ignored-limit'],

  candidates: unusedLocals,
  *candidatesInFile(file, model) {
    yield* unusedState(file, model)
    yield* unusedEvents(file, model)
  },
  excuses,
  finding: (unused) => ({ at: unused.declared.node, message: describe(unused), ...namedFor(unused) }),
})
