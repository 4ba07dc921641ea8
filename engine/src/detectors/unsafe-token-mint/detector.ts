import { Source, taintOf } from '../../facts/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** Only NFTs know such a function. */
const hasSafeMint = (contract: ContractModel, unsafe: FunctionModel): boolean =>
  contract.allFunctions.some(
    (fn) =>
      fn !== unsafe && /^_?safeMint\(address,uint256(?:,bytes)?\)$/.test(fn.signature) && fn.visibility !== 'private',
  )

export default defineDetector<Candidate>({
  id: 'unsafe-token-mint',
  swc: null,
  title: 'Unsafe NFT mint (_mint instead of _safeMint)',
  aliases: { aderyn: ['unsafe-oz-erc721-mint'], words: ['_mint', '_safeMint', 'ERC-721'] },
  severity: 'info',
  confidence: 'high',
  description:
    'The token is minted with `_mint` to an address the caller chooses, although `_safeMint` exists. A contract that cannot handle ERC-721 tokens receives it and the token is locked.',
  recommendation: 'Use `_safeMint` with a reentrancy guard or after all state updates, because it calls the receiver.',
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
          if (hasSafeMint(contract, definition)) yield { flow, op }
        }
    }
  },

  excuses: [
    excuse('known-receiver', 'the caller does not choose the receiver', ({ flow, op: { args } }) => {
      const [receiver] = args
      return !receiver || stripCasts(receiver).kind !== 'param' || (taintOf(flow, receiver) & Source.param) === 0
    }),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message: `\`${flow.name}()\` mints with \`_mint\`, which does not check that the receiver can handle ERC-721 tokens: an NFT minted to a contract that cannot is locked there.`,
  }),
})
