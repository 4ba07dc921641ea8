import { type ContractModel, type FunctionModel, isOrderOfItsOwn } from '../../model/index.ts'
import { collect } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly contract: ContractModel
  /** Functions that several bases bring. */
  readonly disputed: ReadonlySet<string>
}

const callsSuper = ({ node }: FunctionModel): boolean =>
  node.body !== null &&
  collect(node.body, 'Member').some(
    ({ object, name }) => object.kind === 'Identifier' && object.name === 'super' && name.name === node.name?.name,
  )

/** Functions by name, nearest first, without those that a nearer one hides. */
type Inherited = ReadonlyMap<string, readonly FunctionModel[]>

/** What a base brings along, its own and inherited functions; what is known of the bases is kept for all their derived contracts. */
const inheritedFrom = (base: ContractModel, known: Map<ContractModel, Inherited>): Inherited => {
  const before = known.get(base)
  if (before !== undefined) return before
  const inherited = new Map<string, FunctionModel[]>()
  const { linearization } = base
  for (const [i, contract] of linearization.entries()) {
    if (i > 0 && isOrderOfItsOwn(linearization, i)) {
      for (const functions of inheritedFrom(contract, known).values())
        for (const fn of functions) addInherited(fn, inherited)
      break
    }
    for (const fn of contract.functions) if (fn.isImplemented) addInherited(fn, inherited)
  }
  known.set(base, inherited)
  return inherited
}

const addInherited = (fn: FunctionModel, inherited: Map<string, FunctionModel[]>): void => {
  const nearer = inherited.get(fn.name)
  if (nearer === undefined) inherited.set(fn.name, [fn])
  else if (!nearer.some((other) => other.signature === fn.signature && (canReplace(other) || !canReplace(fn))))
    nearer.push(fn)
}

const canReplace = ({ role, visibility, contract }: FunctionModel): boolean =>
  role === 'function' && visibility !== 'private' && contract!.contractKind !== 'interface'

/** Each once, however many bases override one another. */
const replaceable = (functions: readonly FunctionModel[]): ReadonlySet<string> =>
  new Set(functions.filter(canReplace).map(({ signature }) => signature))

const withSignature = (functions: readonly FunctionModel[], signature: string): FunctionModel | undefined =>
  functions.find((fn) => fn.signature === signature)

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

/** Names of functions that several bases bring, none of which was written to replace another. */
const disputedNames = (contract: ContractModel, known: Map<ContractModel, Inherited>): Set<string> => {
  const inherited = contract.bases.flatMap(({ contract: base }) => (base === null ? [] : [inheritedFrom(base, known)]))
  const bringers = basesByName(inherited)
  const own = contract.functions
  const disputed = new Set<string>()
  for (let i = 0; i < inherited.length; i++)
    for (const [name, functions] of inherited[i]!)
      for (const k of bringers.get(name)!) {
        if (k <= i || disputed.has(name)) continue
        const rivals = inherited[k]!.get(name)!
        const isOpen = (signature: string): boolean =>
          !own.some((fn) => fn.name === name && fn.signature === signature) &&
          isDisputed(withSignature(functions, signature)!, withSignature(rivals, signature))
        if ([...replaceable(functions)].some(isOpen)) disputed.add(name)
      }
  return disputed
}

/** Which of the bases bring a function of a name: most names only one does. */
const basesByName = (inherited: readonly ReadonlyMap<string, unknown>[]): ReadonlyMap<string, readonly number[]> => {
  const bringers = new Map<string, number[]>()
  for (const [i, functions] of inherited.entries())
    for (const name of functions.keys()) {
      const known = bringers.get(name)
      if (known === undefined) bringers.set(name, [i])
      else known.push(i)
    }
  return bringers
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

export default defineDetector<Candidate>({
  id: 'incorrect-inheritance-order',
  swc: 'SWC-125',
  title: 'Incorrect inheritance order',
  aliases: { scwe: ['SCWE-064', 'SCWE-006'], words: ['diamond inheritance', 'C3 linearization'] },
  severity: 'low',
  confidence: 'medium',
  description:
    'Two unrelated base contracts define the same function and the contract does not override it. The base listed last silently wins.',
  recommendation:
    'Override the function and call the bases in the intended order, or list bases from most general to most derived.',
  references: ['https://swcregistry.io/docs/SWC-125'],
  cwe: ['CWE-696'],

  // From 0.6 on the compiler demands an explicit override, which makes the choice visible.
  *candidates({ part }) {
    const known = new Map<ContractModel, Inherited>()
    for (const contract of part.contracts) {
      if (contract.bases.length < 2 || contract.file.versions.isAtLeast(6)) continue
      const disputed = disputedNames(contract, known)
      if (disputed.size > 0) yield { contract, disputed }
    }
  },
  finding: ({ contract: { name: own, node }, disputed }) => ({
    at: { start: node.start, end: node.bases.at(-1)!.end },
    message: `\`${own}\` inherits ${[...disputed].map((name) => `\`${name}()\``).join(', ')} from several bases; only the order of the bases decides which one runs, so a check in another base may be skipped.`,
  }),
})
