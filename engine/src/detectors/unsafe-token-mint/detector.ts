import { Source, taintOf } from '../../facts/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** Only NFTs know such a function. */
const hasSafeWay = (contract: ContractModel, unsafe: FunctionModel): boolean =>
  contract.allFunctions.some(
    (fn) =>
      fn !== unsafe && /^_?safeMint\(address,uint256(?:,bytes)?\)$/.test(fn.signature) && fn.visibility !== 'private',
  )

export default defineDetector<Candidate>({
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

  needs: [holding.internalCall],
  *candidates({ contracts }) {
    for (const { contract, entryPoints } of contracts) {
      if (contract === null) continue
      for (const flow of entryPoints)
        for (const op of flow.ops('call')) {
          const { definition, kind } = op.call
          if (kind !== 'internal' || op.site !== null || definition?.signature !== '_mint(address,uint256)') continue
          if (hasSafeWay(contract, definition)) yield { flow, op }
        }
    }
  },

  excuses: [
    excuse('known-receiver', 'the caller does not name the receiver', ({ flow, op: { args } }) => {
      const [receiver] = args
      return !receiver || stripCasts(receiver).kind !== 'param' || (taintOf(flow, receiver) & Source.param) === 0
    }),
  ],

  finding: ({ op }) => ({
    at: op,
    message: 'A receiver that is a contract without a way to handle the token keeps it for ever.',
  }),
})
