import type { ContractModel, FunctionModel } from '../model/index.ts'
import { collect } from '../syntax/index.ts'
import { defineDetector, type Hit } from './detector.ts'

const callsSuper = ({ node }: FunctionModel): boolean =>
  node.body !== null &&
  collect(node.body, 'Member').some(
    ({ object, name }) => object.kind === 'Identifier' && object.name === 'super' && name.name === node.name?.name,
  )

/** What a base brings along under a signature: its own function or the nearest one above it. */
const functionOf = (base: ContractModel, { name, signature }: FunctionModel): FunctionModel | undefined => {
  for (const contract of base.linearization) {
    const found = contract.functions.find((fn) => fn.name === name && fn.isImplemented && fn.signature === signature)
    if (found !== undefined) return found
  }
  return undefined
}

/** Functions that a base brings along, its own and inherited ones. */
const functionsOf = (base: ContractModel): FunctionModel[] => {
  const found: FunctionModel[] = []
  for (const { contractKind, functions } of base.linearization)
    if (contractKind !== 'interface')
      for (const fn of functions)
        if (fn.role === 'function' && fn.isImplemented && fn.visibility !== 'private') found.push(fn)
  return found
}

const brings = (base: ContractModel, name: string): boolean =>
  base.linearization.some(({ functions }) => functions.some((fn) => fn.name === name && fn.isImplemented))

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
  const disputed = new Set<string>()
  for (const [index, base] of bases.entries()) {
    const others = bases.slice(index + 1)
    for (const fn of others.length === 0 ? [] : functionsOf(base)) {
      // By name first: signatures are made of types that nobody may have asked for yet.
      const rivals = others.filter((other) => brings(other, fn.name))
      if (rivals.length === 0 || disputed.has(fn.name)) continue
      if (contract.functions.some(({ name, signature }) => name === fn.name && signature === fn.signature)) continue
      const first = functionOf(base, fn)!
      if (rivals.some((other) => isDisputed(first, functionOf(other, fn)))) disputed.add(fn.name)
    }
  }
  return disputed
}

const isDisputed = (first: FunctionModel, second: FunctionModel | undefined): boolean => {
  if (second === undefined || first === second) return false
  // A short description of a known library may be of another release.
  if (first.isStub || second.isStub) return false
  // One overrides the other on purpose when its contract inherits the other's.
  if (first.contract!.linearization.includes(second.contract!)) return false
  if (second.contract!.linearization.includes(first.contract!)) return false
  return orderMatters(first, second)
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
