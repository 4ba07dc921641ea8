/** What the owner does once the contracts stand: initializes them, and passes contracts to setters. */
import type { AbiFunction } from '../evm/abi.ts'
import { type Chain, ether } from './chain.ts'
import { contractsFor, typesOf } from './deploy-live.ts'
import { mark, rewind } from './rewind.ts'
import type { CallStep, Instance } from './step.ts'
import { argumentLists, type ValuePool } from './values.ts'

const initializerName = /^_*(?:init(?:ialize)?\w*|setUp|setup)$/i
export const isInitializer = ({ name, isView }: AbiFunction): boolean => !isView && initializerName.test(name)

/** What stands behind a proxy is set up by a call instead of a constructor: its owner makes it. */
export const initialize = async (chain: Chain, target: Instance, withTokens = false): Promise<void> => {
  const { owner, alice } = chain.actors
  const token = chain.addressOf(chain.tokenStandIn)
  const addresses = withTokens ? [token, owner, alice] : [owner, token, alice]
  const pool = { addresses, numbers: [1000n, ether, 1n] }
  for (const fn of target.contract.functions.filter(isInitializer)) await callAsOwner(chain, target, fn, pool)
}

const maxSetters = 6

/** The owner passes contracts to setters that only the owner may call, where the contract knows none yet. */
export const wire = async (chain: Chain): Promise<void> => {
  const { owner, alice } = chain.actors
  const pool = { addresses: [owner, alice], numbers: [1n] }
  for (const target of [...chain.instances]) {
    const { contract } = target
    const namesContract = ({ name }: AbiFunction) => typesOf(contract, name).some(({ length }) => length > 0)
    const setters = contract.functions.filter(
      (fn) => !fn.isView && !fn.isPayable && fn.outputs.length === 0 && namesContract(fn),
    )
    for (const fn of setters.slice(0, maxSetters)) await setAsOwner(chain, target, fn, pool)
  }
}

/** Kept where it writes the address of a contract into an empty slot, that of the argument or one that it answered, and where anybody else is refused. */
const setAsOwner = async (chain: Chain, target: Instance, fn: AbiFunction, pool: ValuePool): Promise<void> => {
  const start = mark(chain)
  const before = chain.machine.storageOf(target.address)
  await callAsOwner(chain, target, fn, pool)
  const step = chain.prologue.at(-1)
  if (chain.prologue.length === start.prologue || step?.kind !== 'call') return
  const passed = new Set(step.args.flatMap((value) => (typeof value === 'string' ? [value] : [])))
  for (const address of chain.standIns.values()) passed.add(address)
  const isSet = [...chain.machine.storageOf(target.address)].some(
    ([slot, word]) => !before.get(slot) && passed.has(`0x${word.toString(16).padStart(40, '0')}`),
  )
  const here = chain.snapshot()
  chain.restore(start.snapshot)
  const isOwners = isSet && !(await chain.peek({ ...step, actor: 'alice' })).ok
  chain.restore(here)
  if (!isOwners) rewind(chain, start)
}

const argumentListsOfOwner = 4

/** Kept when it succeeds; a parameter that names a contract gets one. */
const callAsOwner = async (chain: Chain, target: Instance, fn: AbiFunction, pool: ValuePool): Promise<void> => {
  const before = chain.snapshot()
  const [instances, prologue] = [chain.instances.length, chain.prologue.length]
  const wanted = await contractsFor(chain, typesOf(target.contract, fn.name), target.contract.name, 1)
  for (const list of argumentLists(fn, pool, argumentListsOfOwner)) {
    const args = list.map((value, index) => wanted.get(index) ?? value)
    const step: CallStep = { kind: 'call', actor: 'owner', via: null, to: target, fn, args, value: 0n }
    const here = chain.snapshot()
    if ((await chain.perform(step)).ok) {
      chain.prologue.push(step)
      return
    }
    chain.restore(here)
  }
  chain.restore(before)
  chain.instances.length = instances
  chain.prologue.length = prologue
}
