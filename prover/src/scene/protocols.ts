/** Outside protocols that a contract wants to know: by the functions of the interface, a stand-in that behaves like the real one. */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import { type Chain, ether } from './chain.ts'
import type { StandIn } from './stand-ins.ts'
import type { CallStep, Instance } from './step.ts'

/** The first that has any of these functions. */
const byFunction: readonly (readonly [StandIn, ReadonlySet<string>])[] = [
  ['AssayMarket', new Set(['getReserves', 'slot0'])],
  ['AssayFeed', new Set(['latestRoundData', 'latestAnswer'])],
  ['AssayVault', new Set(['convertToAssets', 'convertToShares', 'totalAssets'])],
  ['AssayLender', new Set(['flashFee', 'maxFlashLoan'])],
  ['AssayNft', new Set(['ownerOf', 'safeTransferFrom', 'setApprovalForAll'])],
]

/** Of each token in a market: as much of one as of the other, so that both are worth the same. */
export const marketReserve = 100n * ether

/** The address of a contract that answers the functions of the interface. */
export const standInFor = async (chain: Chain, type: string): Promise<string> => {
  const functions = chain.compilation.contracts.find(({ name }) => name === type)?.functions
  const found = byFunction.find(([, names]) => functions?.some(({ name }) => names.has(name)))?.[0]
  if (found === 'AssayMarket') await openMarket(chain)
  if (found === 'AssayVault' || found === 'AssayLender') await openFor(chain, found)
  if (found === 'AssayNft') await chain.deployStandIn(found)
  if (found) return chain.addressOf(found)
  const transfer =
    functions?.find(({ name, inputs }) => name === 'transfer' && inputs.length === 2) ??
    functions?.find(({ name, inputs }) => name === 'transferFrom' && inputs.length === 3)
  if (functions && !transfer)
    return (await openDirectory(chain, functions)) ? chain.addressOf('AssayDirectory') : chain.addressOf('AssayAgent')
  // An interface whose transfers return nothing is that of a token that returns nothing.
  const isMute = transfer?.outputs.length === 0 && chain.tokenStandIn === 'AssayToken'
  const token = isMute ? 'AssayMuteToken' : chain.tokenStandIn
  if (token === 'AssayMuteToken') await chain.deployStandIn(token)
  return chain.addressOf(token)
}

/** What an interface answers with an address, such as a registry's `token()`: a stand-in of the declared type, else the token. */
const openDirectory = async (chain: Chain, functions: readonly AbiFunction[]): Promise<boolean> => {
  const questions = functions.filter(
    ({ isView, inputs, outputs }) =>
      isView && inputs.length === 0 && outputs.length === 1 && outputs[0]?.type === 'address',
  )
  if (questions.length === 0) return false
  await chain.deployStandIn('AssayDirectory')
  const directory = chain.standIn('AssayDirectory')
  for (const fn of questions) {
    const declared = /^contract (.+)$/.exec(fn.outputs[0]?.internalType ?? '')?.[1]
    const isProtocol = declared !== undefined && byFunction.some(([, names]) => hasAny(chain, declared, names))
    const answer = isProtocol ? await standInFor(chain, declared) : chain.addressOf(chain.tokenStandIn)
    await play(chain, directory, 'tell', [chain.selector(fn), answer])
  }
  return true
}

const hasAny = ({ compilation }: Chain, type: string, names: ReadonlySet<string>): boolean =>
  compilation.contracts.some((each) => each.name === type && each.functions.some(({ name }) => names.has(name)))

/** Both tokens are paid in before it opens. */
export const openMarket = async (chain: Chain): Promise<void> => {
  await chain.deployStandIn('AssayMarket')
  const market = chain.standIn('AssayMarket')
  const tokens = [chain.standIn('AssayToken'), chain.standIn('AssayQuote')] as const
  const isOpen = chain.prologue.some((step) => step.kind === 'call' && step.to.address === market.address)
  if (isOpen) return
  for (const token of tokens) await play(chain, token, 'mint', [market.address, marketReserve])
  await play(
    chain,
    market,
    'open',
    tokens.map(({ address }) => address),
  )
}

/** Vault and lender work with the plain token; the lender has some to lend. */
const openFor = async (chain: Chain, name: 'AssayVault' | 'AssayLender'): Promise<void> => {
  await chain.deployStandIn(name)
  const { address } = chain.standIn(name)
  const isOpen = chain.prologue.some((step) => step.kind === 'call' && step.to.address === address)
  if (isOpen) return
  const token = chain.standIn('AssayToken')
  await play(chain, chain.standIn(name), 'open', [token.address])
  if (name === 'AssayLender') await play(chain, token, 'mint', [address, marketReserve])
}

/** The owner pays in as much ether as of the token, so that both are worth the same. */
export const openExchange = async (chain: Chain, token: Instance): Promise<void> => {
  const exchange = chain.standIn('AssayExchange')
  await play(chain, token, 'transfer', [exchange.address, marketReserve])
  await play(chain, exchange, 'open', [token.address], marketReserve)
}

const play = async (chain: Chain, to: Instance, name: string, args: readonly AbiValue[], value = 0n): Promise<void> => {
  const fn = to.contract.functions.find((each) => each.name === name)
  if (!fn) throw new Error(`${to.name} has no ${name}`)
  const step: CallStep = { kind: 'call', actor: 'owner', via: null, to, fn, args, value }
  const { ok, error } = await chain.perform(step)
  if (!ok) throw new Error(`${to.name}.${name} failed: ${error}`)
  chain.prologue.push(step)
}
