import { guardsAt, isSender, privilegedState, runsOnce, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

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

/** Nothing asks who is calling, and it can be done again. */
const isOpen = (flow: Flow, store: Op): boolean => senderGuardsAt(flow, store).length === 0 && !runsOnce(flow, store)

/** Hands the contract to whoever calls, and nothing else ever sets who that is: what a constructor was there for. */
const takesOver = (whole: ContractFlow, flow: Flow): boolean =>
  flow.stateStores().some((store) => {
    const { variable, part } = store.location!
    if (variable === null || part !== 'root' || variable.value !== null) return false
    if (!isSender(stripCasts(store.args[0]!)) || !isOpen(flow, store)) return false
    // A price or a condition makes it a rule of the game, not a forgotten constructor.
    if (guardsAt(flow, store).length > 0 || !privilegedState(whole).has(variable)) return false
    // A base may have set it in its constructor; this contract has none.
    return whole
      .writersOf(variable)
      .every(
        (write) => write.flow === flow || write.flow.isConstructor || senderGuardsAt(write.flow, write.op).length > 0,
      )
  })

const isDeployed = (contract: ContractModel | null): contract is ContractModel =>
  contract !== null && contract.contractKind !== 'interface' && contract.contractKind !== 'library'

const report = (fn: FunctionModel, message: string): Hit => ({
  at: { start: fn.node.start, end: fn.node.headEnd },
  message,
})

const checkFlow = (whole: ContractFlow, flow: Flow, seen: FunctionModel[], hits: Hit[]): void => {
  const { fn } = flow
  if (fn === null || fn.role !== 'function' || !isDeployed(fn.contract) || fn.contract.constructor_ !== null) return
  if (seen.includes(fn)) return
  const meant = meantName(fn, fn.contract)
  if (meant !== null && flow.stateStores().some((store) => isOpen(flow, store))) {
    seen.push(fn)
    hits.push(
      report(
        fn,
        `\`${fn.name}\` is no constructor (\`${meant}\` was probably meant): anybody can call it at any time.`,
      ),
    )
  } else if (!fn.contract.file.versions.isAtLeast(5) && takesOver(whole, flow)) {
    seen.push(fn)
    hits.push(
      report(
        fn,
        `\`${fn.name}\` sets who is privileged as a constructor would, but does not bear the contract's name: anybody can call it.`,
      ),
    )
  }
}

export default defineDetector({
  id: 'incorrect-constructor-name',
  swc: 'SWC-118',
  title: 'Constructor with the wrong name',
  severity: 'high',
  confidence: 'high',
  description:
    'A function meant as constructor has another name than the contract (before 0.5.0), or spells the word `constructor` wrongly. It becomes an ordinary function with which anybody can take the contract over.',
  recommendation: 'Use the keyword: `constructor() { … }`.',
  references: ['https://swcregistry.io/docs/SWC-118'],
  cwe: ['CWE-665'],

  run({ contracts }) {
    const hits: Hit[] = []
    const seen: FunctionModel[] = []
    for (const whole of contracts) for (const flow of whole.entryPoints) checkFlow(whole, flow, seen, hits)
    return hits
  },
})
