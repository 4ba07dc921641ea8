import type { Chain } from './chain.ts'

export const mark = (chain: Chain) => ({
  snapshot: chain.snapshot(),
  instances: chain.instances.length,
  prologue: chain.prologue.length,
  tokens: chain.tokens.length,
})

export const rewind = (chain: Chain, { snapshot, instances, prologue, tokens }: ReturnType<typeof mark>): void => {
  chain.restore(snapshot)
  chain.instances.length = instances
  chain.prologue.length = prologue
  chain.tokens.length = tokens
}
