/**
 * C3 linearisation as the compiler does it: bases are written "most base-like" first, the order reads most derived first.
 * Merge the orders of the bases (last written first) and the list of the bases itself; take the first head that stands
 * in no other tail. Where no such head exists the rules of C3 cannot be met: the rest follows in the order found, with
 * a diagnostic. A contract that inherits itself through others is cut where the circle closes. The walk over bases
 * keeps its own stack, so that a chain of a hundred thousand contracts is no deeper than one.
 */
import type { Contract } from './contract.ts'
import type { World } from './world.ts'

/** Longer chains are cut: orders grow with the square of the length and no real code comes near. */
const maxInheritanceDepth = 200

export const linearizeInto = (root: Contract, world: World): void => {
  const stack: Contract[] = [root]
  while (stack.length > 0) {
    const contract = stack[stack.length - 1] as Contract
    if (contract.order !== undefined) {
      stack.pop()
    } else if (contract.isOpen) {
      stack.pop()
      contract.isOpen = false
      order(contract, world)
    } else {
      contract.isOpen = true
      visitBases(contract, stack, world)
    }
  }
}

const visitBases = (contract: Contract, stack: Contract[], world: World) => {
  for (const { node, contract: found } of contract.bases) {
    const base = found as Contract | null
    if (base === null || base.order !== undefined) continue
    if (base.isOpen) {
      contract.cut.push(base)
      world.report('cyclic-inheritance', node, `${contract.name} inherits itself through ${base.name}.`)
    } else {
      stack.push(base)
    }
  }
}

const order = (contract: Contract, world: World) => {
  const bases: Contract[] = []
  let depth = 0
  for (const { contract: found } of contract.bases) {
    const base = found as Contract | null
    if (base === null || contract.cut.includes(base) || bases.includes(base)) continue
    bases.push(base)
    depth = Math.max(depth, base.depth)
  }
  if (depth >= maxInheritanceDepth) {
    world.report('budget', contract.node.name, `${contract.name} has too many levels of bases; they are left out.`)
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
        : merge(contract, [...orders, bases], world)
}

const merge = (contract: Contract, orders: readonly (readonly Contract[])[], world: World): Contract[] => {
  const merged: Contract[] = [contract]
  let lists = orders
  let isPossible = true
  while (lists.length > 0) {
    const next = pickHead(lists)
    if (next === undefined && isPossible) {
      isPossible = false
      world.report('impossible-linearization', contract.node.name, `The bases of ${contract.name} cannot be ordered.`)
    }
    const chosen = next ?? (lists[0]?.[0] as Contract)
    if (!merged.includes(chosen)) merged.push(chosen)
    lists = lists.map((list) => list.filter((other) => other !== chosen)).filter((list) => list.length > 0)
  }
  return merged
}

const pickHead = (lists: readonly (readonly Contract[])[]): Contract | undefined => {
  for (const [head] of lists) {
    if (head !== undefined && lists.every((list) => list.indexOf(head) <= 0)) return head
  }
  return undefined
}
