import type { ContractModel, FunctionModel } from '../model/index.ts'
import { collect } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

const callsSuper = ({ node }: FunctionModel): boolean =>
  node.body !== null &&
  collect(node.body, 'Member').some(
    ({ object, name }) => object.kind === 'Identifier' && object.name === 'super' && name.name === node.name?.name,
  )

/** What a base brings along under a signature: its own function or the nearest one above it. */
const functionOf = (base: ContractModel, signature: string): FunctionModel | undefined => {
  for (const contract of base.linearization) {
    const found = contract.functions.find((fn) => fn.signature === signature && fn.isImplemented)
    if (found !== undefined) return found
  }
  return undefined
}

const signaturesOf = (base: ContractModel): Set<string> => {
  const signatures = new Set<string>()
  for (const { contractKind, functions } of base.linearization)
    if (contractKind !== 'interface')
      for (const fn of functions)
        if (fn.role === 'function' && fn.isImplemented && fn.visibility !== 'private') signatures.add(fn.signature)
  return signatures
}

/**
 * Both run when each passes on to the next. Only if they combine results by different rules, or one drops the other,
 * does the order decide.
 */
const orderMatters = (first: FunctionModel, second: FunctionModel): boolean => {
  if (!callsSuper(first) || !callsSuper(second)) return true
  return first.returns.length > 0 && combination(first) !== combination(second)
}

const combination = ({ node }: FunctionModel): string =>
  [...new Set(collect(node.body!, 'Binary').map(({ operator }) => operator))]
    .filter((operator) => operator === '&&' || operator === '||')
    .sort()
    .join()

/** From 0.6 on the compiler demands an explicit override, which makes the choice visible. */
const isSilent = (contract: ContractModel): boolean => !contract.file.versions.isAtLeast(6)

/** Names of functions that several bases bring, none of which was written to replace another. */
const disputedNames = (contract: ContractModel): Set<string> => {
  const bases = contract.bases.flatMap(({ contract: base }) => (base === null ? [] : [base]))
  const own = new Set(contract.functions.map(({ signature }) => signature))
  const disputed = new Set<string>()
  for (const [index, base] of bases.entries())
    for (const signature of signaturesOf(base)) {
      if (own.has(signature)) continue
      const first = functionOf(base, signature)
      if (first === undefined) continue
      for (const other of bases.slice(index + 1)) {
        const second = functionOf(other, signature)
        if (second === undefined || first === second) continue
        // A short description of a known library may be of another release.
        if (first.isStub || second.isStub) continue
        // One overrides the other on purpose when its contract inherits the other's.
        if (first.contract!.linearization.includes(second.contract!)) continue
        if (second.contract!.linearization.includes(first.contract!)) continue
        if (orderMatters(first, second)) disputed.add(first.name)
      }
    }
  return disputed
}

export default defineDetector({
  id: 'incorrect-inheritance-order',
  swc: 'SWC-125',
  title: 'Behaviour depends on the order of bases',
  severity: 'low',
  confidence: 'medium',
  description:
    'Two bases that know nothing of each other bring the same function, and the contract does not say which one it wants. The one written last wins silently.',
  recommendation:
    'Override the function in the contract and call the bases in the intended order, or list them from most general to most specific.',
  references: ['https://swcregistry.io/docs/SWC-125'],
  cwe: ['CWE-696'],

  run({ model }) {
    const hits: Hit[] = []
    for (const contract of model.contracts) {
      if (contract.node.bases.length < 2 || !isSilent(contract)) continue
      const disputed = disputedNames(contract)
      if (disputed.size === 0) continue
      const names = [...disputed].map((name) => `\`${name}\``).join(', ')
      hits.push({
        at: { start: contract.node.start, end: contract.node.bases.at(-1)!.end },
        message: `Several bases bring ${names}; which one runs depends on their order alone.`,
      })
    }
    return hits
  },
})
