// A rule for contracts on rollups: `block.number` does not count this chain's blocks there.
export const apiVersion = 1

export default ({ defineDetector, excuse, nodesOf }) =>
  defineDetector({
    id: 'no-block-number',
    swc: null,
    title: 'block.number on a rollup',
    severity: 'medium',
    confidence: 'high',
    description:
      'On several rollups `block.number` is that of another chain, or moves in steps. What is measured with it lasts shorter or longer than it was meant to.',
    recommendation: 'Measure time with `block.timestamp`, or ask the rollup for its own block number.',
    references: ['https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/block-numbers-and-time'],
    cwe: [],

    // The claim: every `block.number` that is written in a function.
    *candidatesInModel(model) {
      for (const { unit } of model.files) {
        for (const node of nodesOf(unit, 'Member')) {
          const isBlockNumber =
            node.name.name === 'number' && node.object.kind === 'Identifier' && node.object.name === 'block'
          const fn = isBlockNumber ? model.functionAt(node.start) : undefined
          if (fn) yield { node, fn }
        }
      }
    },

    // What excuses it, each with a line in a fixture that proves it.
    excuses: [excuse('only-read', 'the function changes no state', ({ fn }) => fn.mutability === 'view')],

    finding: ({ node }) => ({
      at: node,
      message: '`block.number` does not count the blocks of this chain.',
    }),
  })
