/** Answers from the descriptions of outside protocols and token standards, by the name and the number of arguments of a call, or by a signature. */
import { erc4337, safe } from './accounts.ts'
import { balancer } from './balancer.ts'
import { connext, hyperlane, layerZero, stargate, wormhole } from './bridges.ts'
import { chainlink } from './chainlink.ts'
import { curve } from './curve.ts'
import {
  type Callback,
  type Declared,
  type Description,
  type Reading,
  readDeclaration,
  signatureOf,
  type TokenFunction,
  type TradeCall,
} from './description.ts'
import { aave, compound, erc3156, morpho } from './lenders.ts'
import { erc2612, permit2 } from './permits.ts'
import { pyth } from './pyth.ts'
import { lido } from './staking.ts'
import { erc20, erc721, erc777, erc1155, erc1363, erc4626 } from './tokens.ts'
import { uniswapV2 } from './uniswap-v2.ts'
import { uniswapV3 } from './uniswap-v3.ts'
import { uniswapV4 } from './uniswap-v4.ts'

export type { Declared, Description } from './description.ts'

export const descriptions: readonly Description[] = [
  uniswapV2,
  uniswapV3,
  uniswapV4,
  curve,
  balancer,
  chainlink,
  aave,
  erc3156,
  morpho,
  compound,
  layerZero,
  hyperlane,
  wormhole,
  connext,
  stargate,
  erc20,
  erc721,
  erc777,
  erc1155,
  erc1363,
  erc2612,
  erc4337,
  erc4626,
  lido,
  permit2,
  pyth,
  safe,
]

/** An entry of a description, with its declaration read. */
type Known<Entry> = Entry & { readonly protocol: Description; readonly declared: Declared }

const known = <Entry extends { readonly declaration: string }>(
  entriesOf: (description: Description) => readonly Entry[] | undefined,
): Known<Entry>[] =>
  descriptions.flatMap((protocol) =>
    (entriesOf(protocol) ?? []).map((entry) => ({ ...entry, protocol, declared: readDeclaration(entry.declaration) })),
  )

const keyOf = (name: string, count: number): string => `${name}/${count}`

const byCall = <Entry extends { readonly declared: Declared }>(entries: readonly Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [keyOf(entry.declared.name, entry.declared.params.length), entry]))

/** Where an argument stands: its position, or its name in the struct that is passed alone. */
export type ArgumentKey = number | string

const placeOf = ({ params }: Declared, name: string): ArgumentKey => {
  const [, field] = name.split('.')
  return field ?? params.findIndex((param) => param.name === name)
}

const readings = byCall(known(({ readings }) => readings))

/** A number of an outside protocol that others count with: which results, who moves it and when. */
export const readingOf = (name: string, count: number): KnownReading | undefined => readings.get(keyOf(name, count))
export type KnownReading = Known<Reading>

/** The position of a result by its name; -1 for a field of a struct. */
export const resultPosition = ({ declared }: KnownReading, name: string): number =>
  declared.results.findIndex((result) => result.name === name)

export interface TradeShape {
  readonly least: readonly ArgumentKey[]
  /** What the exchange calls them. */
  readonly leastNames: readonly string[]
  readonly worstPrice: ArgumentKey | null
  readonly given: readonly ArgumentKey[]
  readonly receiver: ArgumentKey | null
  readonly deadline: ArgumentKey | null
}

const shapeOf = ({
  declared,
  least = [],
  worstPrice,
  given = [],
  receiver,
  deadline,
}: Known<TradeCall>): TradeShape => ({
  least: least.map((name) => placeOf(declared, name)),
  leastNames: least.map((name) => name.split('.').at(-1)!),
  worstPrice: worstPrice === undefined ? null : placeOf(declared, worstPrice),
  given: given.map((name) => placeOf(declared, name)),
  receiver: receiver === undefined ? null : placeOf(declared, receiver),
  deadline: deadline === undefined ? null : placeOf(declared, deadline),
})

const trades: ReadonlyMap<string, TradeShape> = new Map(
  [...byCall(known(({ trades }) => trades))].map(([key, trade]) => [key, shapeOf(trade)]),
)

/** A trade on a known exchange: where its limits, amounts, receiver and deadline are. */
export const tradeShape = (name: string, count: number): TradeShape | undefined => trades.get(keyOf(name, count))

const callbacks: ReadonlyMap<string, Known<Callback>> = new Map(
  known(({ callbacks }) => callbacks).map((entry) => [signatureOf(entry.declared, entry.protocol.structs), entry]),
)

/** A function that an outside contract calls, by its signature. */
export const callbackOf = (signature: string): KnownCallback | undefined => callbacks.get(signature)
export type KnownCallback = Known<Callback>

/** The position of the argument that says who requested the call; undefined where there is none. */
export const initiatorOf = ({ declared, initiator }: KnownCallback): number | undefined =>
  initiator === undefined ? undefined : declared.params.findIndex(({ name }) => name === initiator)

const notifications = byCall(known(({ notifications }) => notifications))

/** The position of the argument that names the account which runs code by this call. */
export const notifiedArgument = (name: string, count: number): number | undefined => {
  const entry = notifications.get(keyOf(name, count))
  return entry?.declared.params.findIndex(({ name }) => name === entry.receiver)
}

const tokenFunctions = byCall(known(({ tokenCalls }) => tokenCalls))

/** What a function of a token, or of a library for tokens, does; the token is not among the arguments that are counted. */
export const tokenFunction = (name: string, count: number): KnownTokenFunction | undefined =>
  tokenFunctions.get(keyOf(name, count))
export type KnownTokenFunction = Known<TokenFunction>

/** The position of the argument that names the token; undefined where the call is made to the token itself. */
export const tokenArgument = ({ declared, token }: KnownTokenFunction): number | undefined =>
  token === undefined ? undefined : declared.params.findIndex(({ name }) => name === token)

const permits = byCall(known(({ permits }) => permits))

/** The position of the argument that names whose tokens a signature allows to be taken. */
export const permittingArgument = (name: string, count: number): number | undefined => {
  const entry = permits.get(keyOf(name, count))
  return entry?.declared.params.findIndex(({ name }) => name === entry.owner)
}

const probes = new Set(descriptions.flatMap(({ lockProbes }) => lockProbes ?? []))

/** The call fails while its protocol is in the middle of something. */
export const isLockProbe = (name: string): boolean => probes.has(name)

const coded = new Set(descriptions.flatMap(({ errorCodes }) => errorCodes ?? []))

/** It returns the number of an error instead of reverting. */
export const returnsErrorCode = (signature: string): boolean => coded.has(signature)
