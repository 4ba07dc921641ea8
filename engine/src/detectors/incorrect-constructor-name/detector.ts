import { guardsAt, isSender, principalAt, privilegedState } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type StoreOp } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly fn: FunctionModel
  /** What it sets. */
  readonly op: StoreOp
  /** The word that its name was probably meant to be; null when only what it does is that of a constructor. */
  readonly meant: string | null
}

/** How many letters of one word do not occur in the other: never more than the edits between them, and quickly counted. */
const foreignLetters = (a: string, b: string): number => {
  let foreign = 0
  for (let i = 0; i < a.length; i++) if (!b.includes(a[i]!)) foreign++
  return foreign
}

/** Edits between two words, given up past `most`. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most || foreignLetters(a, b) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

const isSlip = (name: string, meant: string): boolean =>
  isSameWord(name, meant) || (meant.length >= 6 && distance(name, meant, 2) <= 2)

const isSameWord = (a: string, b: string): boolean => a.length === b.length && a.toLowerCase() === b.toLowerCase()

/** Functions begin with a small letter: one that begins like a contract and is nearly called like it was meant so. */
const isContractSlip = (name: string, contract: string): boolean =>
  isSameWord(name, contract) || (/^[A-Z]/.test(name) && isSlip(name, contract))

/** Which word the function's name was probably meant to be. */
const meantName = (fn: FunctionModel, contract: ContractModel): string | null => {
  if (isSlip(fn.name, 'constructor')) return 'constructor'
  // Constructors named after their contract ended with 0.5.0.
  if (!contract.file.versions.isAtLeast(5) && isContractSlip(fn.name, contract.name)) return contract.name
  return null
}

/** Hands the contract to anyone who calls: what a constructor was there for. */
const takesOver = ({ contractFlow }: Flow, { location, args }: StoreOp): boolean => {
  const { variable, part } = location
  if (variable === null || part !== 'root' || variable.value !== null) return false
  return isSender(args[0]) && privilegedState(contractFlow).has(variable)
}

function* candidatesIn({ entryPoints }: ContractFlow): Iterable<Candidate> {
  for (const flow of entryPoints) {
    const { fn } = flow
    if (fn?.role !== 'function' || fn.contract === null || fn.contract.constructor_ !== null) continue
    const meant = meantName(fn, fn.contract)
    for (const op of flow.stateStores())
      if (meant !== null || (!fn.contract.file.versions.isAtLeast(5) && takesOver(flow, op)))
        yield { flow, fn, op, meant }
  }
}

const describe = ({ fn, meant }: Candidate): string =>
  meant === null
    ? `\`${fn.name}()\` sets a privileged address like a constructor but does not have the contract's name, so anyone can call it and take over.`
    : `\`${fn.name}()\` is not a constructor (\`${meant}\` was probably intended), so anyone can call it at any time and set again what it sets.`

export default defineDetector<Candidate>({
  id: 'incorrect-constructor-name',
  swc: 'SWC-118',
  title: 'Incorrect constructor name',
  aliases: { owasp: ['SC01:2025'], scwe: ['SCWE-070'], words: ['constructor typo', 'Rubixi'] },
  severity: 'high',
  confidence: 'high',
  description:
    'A function intended as the constructor does not match the contract’s name (before 0.5.0) or misspells `constructor`. It becomes a public function that anyone can call to take over the contract.',
  recommendation: 'Use the keyword: `constructor() { … }`.',
  references: ['https://swcregistry.io/docs/SWC-118'],
  cwe: ['CWE-665'],

  needs: [holding.stateWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) yield* candidatesIn(contractFlow)
  },
  excuses: [
    excuse('caller-checked', 'it checks the caller', ({ flow, op }) => principalAt(flow, op) !== 'anyone'),
    excuse(
      'condition',
      'its name is unlike a constructor’s, and a price or condition makes it a feature',
      ({ flow, op, meant }) => meant === null && guardsAt(flow, op).length > 0,
    ),
  ],
  finding: (candidate) => ({
    at: { start: candidate.fn.node.start, end: candidate.fn.node.headEnd },
    message: describe(candidate),
    trace: [witnessStep(candidate.flow, candidate.op, 'makes themselves privileged')],
  }),
})
