import { Source, taintOf } from '../../facts/index.ts'
import { type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** An NFT: it knows an owner per id and offers the safe way to give one. */
const isNonFungible = (contract: ContractModel): boolean =>
  contract.allFunctions.some(({ signature }) => signature === 'ownerOf(uint256)')

const hasSafeWay = (contract: ContractModel, unsafe: FunctionModel): boolean =>
  contract.allFunctions.some(
    (fn) =>
      fn !== unsafe && /^_?safeMint\(address,uint256(?:,bytes)?\)$/.test(fn.signature) && fn.visibility !== 'private',
  )

/** The receiver may be any address, also a contract that cannot handle tokens. */
const isAnybody = (bits: number, receiver: Op): boolean =>
  (bits & Source.param) !== 0 && stripCasts(receiver).kind === 'param'

const findMints = (contract: ContractModel, flow: Flow, hits: Hit[]): void => {
  for (const op of flow.ops('call')) {
    const { definition, kind } = op.call!
    if (kind !== 'internal' || op.site !== null || definition === null || definition.name !== '_mint') continue
    if (definition.signature !== '_mint(address,uint256)' || !isNonFungible(contract)) continue
    const [receiver] = op.args
    if (!receiver || !isAnybody(taintOf(flow, receiver), receiver) || !hasSafeWay(contract, definition)) continue
    hits.push({ at: op, message: 'A receiver that is a contract without a way to handle the token keeps it for ever.' })
  }
}

export default defineDetector({
  id: 'unsafe-token-mint',
  swc: null,
  title: 'NFT is minted without asking the receiver',
  severity: 'info',
  confidence: 'high',
  description:
    'The token is given to an address that the caller chooses by `_mint`, though the contract also has `_safeMint`. A contract that cannot handle NFTs receives it and can never give it away.',
  recommendation:
    'Use `_safeMint` (with a reentrancy lock or with all state written before it: it calls the receiver).',
  references: ['https://eips.ethereum.org/EIPS/eip-721'],
  cwe: ['CWE-754'],

  run(context) {
    const hits: Hit[] = []
    for (const { contract, entryPoints } of context.contracts)
      if (contract !== null) for (const flow of entryPoints) findMints(contract, flow, hits)
    return oncePerPlace(hits)
  },
})
