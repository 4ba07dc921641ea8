import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly contract: ContractModel
  readonly fn: FunctionModel
}

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf('('))

/** What ERC-20 demands: signature → type of the result. */
const standard: ReadonlyMap<string, 'bool' | 'int'> = new Map([
  ['transfer(address,uint256)', 'bool'],
  ['transferFrom(address,address,uint256)', 'bool'],
  ['approve(address,uint256)', 'bool'],
  ['balanceOf(address)', 'int'],
  ['allowance(address,address)', 'int'],
  ['totalSupply()', 'int'],
])

const standardNames: ReadonlySet<string> = new Set([...standard.keys()].map(nameOf))

const isEntry = ({ visibility }: FunctionModel): boolean => visibility === 'public' || visibility === 'external'

/** Getters of public variables count as functions. */
const countKept = (contract: ContractModel): number => {
  const functions = new Set(contract.allFunctions.filter(isEntry).map(({ signature }) => signature))
  const getters = new Set(
    contract.allStateVariables.filter(({ visibility }) => visibility === 'public').map(({ name }) => name),
  )
  return [...standard.keys()].filter((signature) => functions.has(signature) || getters.has(nameOf(signature))).length
}

/** So many functions of the standard make a token. */
const fewestOfToken = 4

const isWrong = (fn: FunctionModel): boolean => {
  // Names are there; a signature has to be spelt out first.
  const expected = standardNames.has(fn.name) ? standard.get(fn.signature) : undefined
  // What is only declared describes a token that is elsewhere.
  return (
    expected !== undefined &&
    fn.isImplemented &&
    isEntry(fn) &&
    (fn.returns.length !== 1 || fn.returns[0]?.type.kind !== expected)
  )
}

export default defineDetector<Candidate>({
  id: 'nonstandard-erc20-interface',
  swc: null,
  title: 'Incorrect ERC-20 interface',
  aliases: {
    slither: ['erc20-interface'],
    aderyn: ['incorrect-erc20-interface'],
    words: ['missing return value token', 'USDT', 'BNB'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'The contract looks like an ERC-20 token but one of its functions returns a different type. Contracts compiled against the standard revert when they decode the result, so the tokens get stuck there.',
  recommendation:
    'Return `bool` from `transfer`, `transferFrom` and `approve`, and `uint256` from the views, as ERC-20 requires.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-573'],

  *candidatesInFile({ contracts }) {
    for (const contract of contracts) {
      if (contract.contractKind === 'interface' || contract.contractKind === 'library') continue
      const wrong = contract.functions.filter(isWrong)
      if (wrong.length > 0 && countKept(contract) >= fewestOfToken) for (const fn of wrong) yield { contract, fn }
    }
  },

  excuses: [
    excuse(
      'non-fungible',
      'the token is an NFT (ERC-721), which has the same signatures without a result',
      ({ contract }) =>
        contract.allFunctions.some(
          ({ signature }) => signature === 'ownerOf(uint256)' || signature.startsWith('safeTransferFrom('),
        ),
    ),
  ],

  finding: ({ fn }) => ({
    at: fn.node.name ?? fn.node,
    message: `\`${fn.signature}\` returns ${fn.returns.length === 0 ? 'nothing' : 'another type'} where ERC-20 requires \`${standard.get(fn.signature) === 'bool' ? 'bool' : 'uint256'}\`, so contracts that call it through the standard interface revert.`,
  }),
})
