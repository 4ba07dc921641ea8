/**
 * C3 linearisation as the compiler does it: bases are written "most base-like" first, the order reads most derived first.
 * Merge the orders of the bases (last written first) and the list of the bases itself; take the first head that stands
 * in no other tail. Where no such head exists the rules of C3 cannot be met: the rest follows in the order found, with
 * a diagnostic. A contract that inherits itself through others is cut where the circle closes. The walk over bases
 * keeps its own stack, so that a chain of a hundred thousand contracts is no deeper than one.
 */
import type { ContractModel } from './declaration.ts'
import type { ContractSymbol, Symbols } from './symbols.ts'

/** Longer chains are cut: orders grow with the square of the length and no real code comes near. */
const maxInheritanceDepth = 200

/**
 * Whether an order goes on, from a place in it, as the order of the contract that stands there. Whatever inherits a contract keeps its
 * bases behind it and in their order, so the count tells. What is worked out for that contract then holds for the rest.
 */
export const isOrderOfItsOwn = (order: readonly ContractModel[], at: number): boolean =>
  order[at]!.linearization.length === order.length - at

export const linearizeInto = (root: ContractSymbol, symbols: Symbols): void => {
  const stack: ContractSymbol[] = [root]
  while (stack.length > 0) {
    const contract = stack[stack.length - 1] as ContractSymbol
    if (contract.order !== undefined) {
      stack.pop()
    } else if (contract.isOpen) {
      stack.pop()
      contract.isOpen = false
      order(contract, symbols)
    } else {
      contract.isOpen = true
      visitBases(contract, stack, symbols)
    }
  }
}

const visitBases = (contract: ContractSymbol, stack: ContractSymbol[], symbols: Symbols) => {
  for (const { node, contract: found } of contract.bases) {
    const base = found as ContractSymbol | null
    if (base === null || base.order !== undefined) continue
    if (base.isOpen) {
      contract.cut.push(base)
      symbols.report('cyclic-inheritance', node, `${contract.name} inherits itself through ${base.name}.`)
    } else {
      stack.push(base)
    }
  }
}

const order = (contract: ContractSymbol, symbols: Symbols) => {
  const bases: ContractSymbol[] = []
  let depth = 0
  for (const { contract: found } of contract.bases) {
    const base = found as ContractSymbol | null
    if (base === null || contract.cut.includes(base) || bases.includes(base)) continue
    bases.push(base)
    depth = Math.max(depth, base.depth)
  }
  if (depth >= maxInheritanceDepth) {
    symbols.report('budget', contract.node.name, `${contract.name} has too many levels of bases; they are left out.`)
    contract.order = [contract]
    return
  }
  contract.depth = depth + 1
  bases.reverse()
  const orders = bases.map((base) => base.order ?? [base])
  const only = orders[0]
  contract.order =
    only === undefined
      ? [contract]
      : orders.length === 1
        ? [contract, ...only]
        : mergeBases(contract, orders, bases, symbols)
}

/** What all bases end with, as the two sides of a diamond do, need not be merged: it comes last in any case. */
const mergeBases = (
  contract: ContractSymbol,
  orders: readonly (readonly ContractSymbol[])[],
  bases: readonly ContractSymbol[],
  symbols: Symbols,
): ContractSymbol[] => {
  const common = commonEnd(orders)
  const unlike = orders.map((list) => list.slice(0, list.length - common))
  // Not where a base is itself what another ends with: the order in which the two are written has to agree with that.
  if (common > 0 && unlike.every((list) => list.length > 0)) {
    const { order, isPossible } = merge(contract, [...unlike, bases])
    if (isPossible) return [...order, ...orders[0]!.slice(-common)]
  }
  const { order, isPossible } = merge(contract, [...orders, bases])
  if (!isPossible)
    symbols.report('impossible-linearization', contract.node.name, `The bases of ${contract.name} cannot be ordered.`)
  return order
}

/** The lists are compared from where the shortest begins, so that a long end which all of them share is met at its first contract. */
const commonEnd = (lists: readonly (readonly ContractSymbol[])[]): number => {
  const [one, ...others] = lists
  const shortest = Math.min(...lists.map(({ length }) => length))
  for (let common = shortest; common > 0; common--) {
    const first = one!.at(-common)!
    if (first.order?.length === common && others.every((other) => other.at(-common) === first)) return common
  }
  return 0
}

/** Whether a longer list names all of these contracts, in the same order. */
const isWithin = (list: readonly ContractSymbol[], longer: readonly ContractSymbol[]): boolean => {
  let found = 0
  for (let i = 0; i < longer.length && found < list.length; i++) if (longer[i] === list[found]) found++
  return found === list.length
}

/**
 * Each list is read by its head; how many lists have a contract further back is counted, so that a step looks at heads only:
 * of lists that are not used up to look for the next, of those that begin with it to go on.
 *
 * A list within the one before it asks for nothing more: its head can be taken only when it is the head of the other as well, and the
 * other comes first. So it is with a base that the base written after it inherits too.
 */
const merge = (
  contract: ContractSymbol,
  lists: readonly (readonly ContractSymbol[])[],
): { order: ContractSymbol[]; isPossible: boolean } => {
  const orders = lists.filter((list, i) => i === 0 || !isWithin(list, lists[i - 1]!))
  const merged = new Set<ContractSymbol>([contract])
  const taken = new Set<ContractSymbol>()
  const heads = orders.map(() => 0)
  const inTails = new Map<ContractSymbol, number>()
  const count = (other: ContractSymbol, change: number) => inTails.set(other, (inTails.get(other) ?? 0) + change)
  for (const list of orders) for (const other of list.slice(1)) count(other, 1)
  const headed = new Map<ContractSymbol, number[]>()
  const setHead = (i: number) => {
    const head = orders[i]![heads[i]!]
    const others = head === undefined ? undefined : headed.get(head)
    if (others !== undefined) others.push(i)
    else if (head !== undefined) headed.set(head, [i])
  }
  for (let i = 0; i < orders.length; i++) setHead(i)
  let isPossible = true
  let begin = 0
  for (;;) {
    let first: ContractSymbol | undefined
    let next: ContractSymbol | undefined
    while (begin < orders.length && heads[begin]! >= orders[begin]!.length) begin++
    for (let i = begin; i < orders.length && next === undefined; i++) {
      const head = orders[i]![heads[i]!]
      first ??= head
      if (head !== undefined && (inTails.get(head) ?? 0) === 0) next = head
    }
    if (first === undefined) return { order: [...merged], isPossible }
    if (next === undefined) isPossible = false
    const chosen = next ?? first
    merged.add(chosen)
    taken.add(chosen)
    for (const i of headed.get(chosen)!) {
      const list = orders[i]!
      for (let head = list[heads[i]!]; head !== undefined && taken.has(head); head = list[heads[i]!]) {
        heads[i]!++
        const following = list[heads[i]!]
        if (following !== undefined) count(following, -1)
      }
      setHead(i)
    }
  }
}
