import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { type Unused, unusedEvents, unusedLocals, unusedState } from './unused.ts'

const words: Readonly<Record<string, string>> = { state: 'State variable', parameter: 'Parameter', local: 'Variable' }

const describe = ({ kind, declared }: Unused): string => {
  if (kind === 'event') return `Event \`${declared.name}\` is never emitted: whoever waits for it waits in vain.`
  const { role, name, visibility } = declared
  return `${words[role] ?? 'Variable'} \`${name}\` is never ${visibility === 'public' ? 'set' : 'used'}.`
}

export default defineDetector<Unused>({
  id: 'unused-variable',
  swc: 'SWC-131',
  title: 'Unused variable',
  severity: 'info',
  confidence: 'medium',
  description:
    'A variable or an event is declared and never used. It costs gas, confuses readers, and may stand where a check was forgotten.',
  recommendation: 'Remove it, leave the parameter without a name, or use it as intended.',
  references: ['https://swcregistry.io/docs/SWC-131'],
  cwe: ['CWE-1164'],

  *candidates(context) {
    yield* unusedState(context)
    yield* unusedLocals(context)
  },
  candidatesInModel: unusedEvents,
  excuses,
  finding: (unused) => ({ at: unused.declared.node, message: describe(unused) }),
})
