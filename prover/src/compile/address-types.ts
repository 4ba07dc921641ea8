/**
 * Which contract an address parameter is meant for, by how the code uses it: `IERC20(token).transfer(…)` makes a contract of `token`, and of a parameter
 * that is stored there. The ABI knows such parameters as plain addresses.
 */

interface RawNode {
  readonly nodeType?: string
  readonly id?: number
  readonly name?: string
  readonly kind?: string
  readonly isConstructor?: boolean
  readonly referencedDeclaration?: number
  readonly typeDescriptions?: { readonly typeString?: string | null }
  readonly parameters?: { readonly parameters?: readonly RawNode[] }
  readonly expression?: RawNode
  readonly arguments?: readonly RawNode[]
  readonly leftHandSide?: RawNode
  readonly rightHandSide?: RawNode
  readonly nodes?: readonly RawNode[]
}

/** By function, the constructor under an empty name: for each parameter the names of contracts that its address is converted to. */
export type AddressTypes = Readonly<Record<string, readonly (readonly string[])[]>>

const everyNode = function* (value: unknown): Generator<RawNode> {
  if (Array.isArray(value)) for (const item of value) yield* everyNode(item)
  else if (typeof value === 'object' && value !== null) {
    yield value as RawNode
    for (const item of Object.values(value)) yield* everyNode(item)
  }
}

const typeOf = ({ typeDescriptions }: RawNode): string => typeDescriptions?.typeString ?? ''

const contractIn = (type: string): string | undefined => /^(?:type\()?contract (\w+)\)?$/.exec(type)?.[1]

/** The variable behind `x`, `payable(x)` and `IToken(x)`. */
const variableOf = (node: RawNode | undefined): number | undefined => {
  if (node?.nodeType === 'Identifier') return node.referencedDeclaration
  return node?.nodeType === 'FunctionCall' && node.kind === 'typeConversion'
    ? variableOf(node.arguments?.[0])
    : undefined
}

/** Contracts that variables are converted to, and the variables that each is stored in. */
interface Uses {
  readonly contracts: Map<number, string[]>
  readonly storedIn: Map<number, number[]>
}

const add = <T>(map: Map<number, T[]>, key: number, value: T): void => {
  const list = map.get(key) ?? []
  if (!list.includes(value)) map.set(key, [...list, value])
}

const usesIn = (root: unknown): Uses => {
  const uses: Uses = { contracts: new Map(), storedIn: new Map() }
  for (const node of everyNode(root)) {
    if (node.nodeType === 'FunctionCall' && node.kind === 'typeConversion') {
      const contract = contractIn(typeOf(node.expression ?? {}))
      const variable = variableOf(node.arguments?.[0])
      if (contract && variable !== undefined) add(uses.contracts, variable, contract)
    }
    if (node.nodeType === 'Assignment' && node.leftHandSide?.nodeType === 'Identifier') {
      const [to, from] = [node.leftHandSide.referencedDeclaration, variableOf(node.rightHandSide)]
      if (to !== undefined && from !== undefined) add(uses.storedIn, from, to)
    }
  }
  return uses
}

const contractsOf = (id: number, { contracts, storedIn }: Uses): string[] => [
  ...new Set([id, ...(storedIn.get(id) ?? [])].flatMap((each) => contracts.get(each) ?? [])),
]

/** By the id of a contract's definition. */
export const addressTypesIn = (root: unknown): Map<number, AddressTypes> => {
  const uses = usesIn(root)
  const found = new Map<number, AddressTypes>()
  for (const contract of everyNode(root)) {
    if (contract.nodeType !== 'ContractDefinition') continue
    const functions = (contract.nodes ?? []).filter(({ nodeType }) => nodeType === 'FunctionDefinition')
    const entries = functions.flatMap((fn) => {
      const types = (fn.parameters?.parameters ?? []).map((parameter) =>
        /^address(?: payable)?$/.test(typeOf(parameter)) ? contractsOf(parameter.id ?? -1, uses) : [],
      )
      const isConstructor = fn.kind === 'constructor' || fn.isConstructor === true
      return types.some(({ length }) => length > 0) ? [[isConstructor ? '' : (fn.name ?? ''), types] as const] : []
    })
    if (entries.length > 0) found.set(contract.id ?? -1, Object.fromEntries(entries))
  }
  return found
}
