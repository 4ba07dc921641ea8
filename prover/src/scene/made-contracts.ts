/** Contracts that other contracts created while the scene was set: those of the given files take part like deployed ones. */
import type { CompiledContract } from '../compile/compilation.ts'
import { bytesToHex } from '../evm/abi.ts'
import { op } from '../evm/trace.ts'
import type { Chain } from './chain.ts'
import type { CallStep, Instance } from './step.ts'
import { argumentLists } from './values.ts'

/** A factory may create any number of them. */
const maxMade = 8
const maxFactoryFunctions = 8

/** EIP-1167: a proxy that holds nothing but the address of its implementation. */
const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/** Where the compiler left zeros, immutable variables may have been filled in; libraries fill what is no number at all. */
const isCodeOf = ({ runtime: { object } }: CompiledContract, code: string): boolean => {
  if (object === '' || object.length !== code.length) return false
  for (let at = 0; at < code.length; at += 2) {
    const written = object.slice(at, at + 2)
    if (written !== code.slice(at, at + 2) && written !== '00' && /^[0-9a-f]{2}$/.test(written)) return false
  }
  return true
}

const contractAt = (chain: Chain, address: string): CompiledContract | undefined => {
  const known = chain.instances.find((each) => each.address === address)
  if (known) return known.contract
  const code = bytesToHex(chain.machine.codeOf(address))
  const implementation = minimalProxy.exec(code)?.[1]
  if (implementation) return contractAt(chain, `0x${implementation}`)
  return chain.compilation.contracts.find((contract) => isCodeOf(contract, code.slice(2)))
}

/** Those that stand on the chain as it is now and are not known yet. */
export const adoptMade = (chain: Chain): void => {
  const known = new Set(chain.instances.map(({ address }) => address))
  const places = [...chain.made].filter((address) => !known.has(address) && chain.machine.codeOf(address).length > 0)
  for (const address of places.slice(0, maxMade)) {
    const contract = contractAt(chain, address)
    if (!contract) continue
    const instance: Instance = { name: chain.freshName(contract.name), contract, address }
    chain.instances.push(instance)
    chain.prologue.push({ kind: 'find', instance })
  }
}

/** The owner of a factory has it create something: what it makes is what people work with. */
export const runFactory = async (chain: Chain, target: Instance): Promise<void> => {
  const { owner, alice } = chain.actors
  const pool = { addresses: [owner, alice], numbers: [1000n, 1n] }
  const functions = target.contract.functions.filter(({ isView, isPayable }) => !isView && !isPayable)
  for (const fn of functions.slice(0, maxFactoryFunctions)) {
    const args = argumentLists(fn, pool, 1)[0] ?? []
    const step: CallStep = { kind: 'call', actor: 'owner', via: null, to: target, fn, args, value: 0n }
    const before = chain.snapshot()
    const { ok, trace } = await chain.perform(step)
    const isMade = trace.some((event) => (event.op === op.CREATE || event.op === op.CREATE2) && event.result)
    if (ok && isMade) chain.prologue.push(step)
    else chain.restore(before)
  }
  adoptMade(chain)
}
