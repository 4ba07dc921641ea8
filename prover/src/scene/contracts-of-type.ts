/** Contracts of the scene that a parameter of a declared type may name. */
import type { AbiFunction } from '../evm/abi.ts'
import type { Chain } from './chain.ts'
import type { ValuePool } from './values.ts'

const isTransfer = ({ name, inputs }: AbiFunction): boolean =>
  (name === 'transfer' && inputs.length === 2) || (name === 'transferFrom' && inputs.length === 3)

export const isTokenType = ({ compilation }: Chain, type: string): boolean =>
  compilation.contracts.some(({ name, functions }) => name === type && functions.some(isTransfer))

/** Those of the files that are of the type; any token of the scene where the type is that of a token and none of the files is. */
const tokensOfType = (chain: Chain, type: string): string[] => {
  const tokens = chain.tokens.map(({ instance }) => instance)
  const own = tokens.filter(({ contract }) => contract.bases.includes(type))
  return (own.length === 0 && isTokenType(chain, type) ? tokens : own).map(({ address }) => address)
}

export const typedContracts = (chain: Chain): Pick<ValuePool, 'ofType' | 'tokensOfType'> => ({
  ofType: (type) => {
    const instances = chain.instances.filter(({ contract }) => contract.bases.includes(type))
    return instances.length > 0 ? instances.map(({ address }) => address) : tokensOfType(chain, type)
  },
  tokensOfType: (type) => tokensOfType(chain, type),
})
