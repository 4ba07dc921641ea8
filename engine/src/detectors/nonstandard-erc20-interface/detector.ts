import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** What ERC-20 demands: signature → type of the result. */
const standard: Readonly<Record<string, 'bool' | 'int'>> = {
  'transfer(address,uint256)': 'bool',
  'transferFrom(address,address,uint256)': 'bool',
  'approve(address,uint256)': 'bool',
  'balanceOf(address)': 'int',
  'allowance(address,address)': 'int',
  'totalSupply()': 'int',
}

const isEntry = ({ visibility }: FunctionModel): boolean => visibility === 'public' || visibility === 'external'

/** Getters of public variables count as functions. */
const countKept = (contract: ContractModel): number => {
  const functions = new Set(contract.allFunctions.filter(isEntry).map(({ signature }) => signature))
  const getters = new Set(
    contract.allStateVariables.filter(({ visibility }) => visibility === 'public').map(({ name }) => name),
  )
  return Object.keys(standard).filter(
    (signature) => functions.has(signature) || getters.has(signature.replace(/\(.*/, '')),
  ).length
}

const results = new Map(Object.entries(standard).map(([signature, type]) => [signature.replace(/\(.*/, ''), type]))

const intName = /^u?int\d*$/

/** Told by what is written: most tokens keep to the standard, and signatures are made of types nobody may have asked for. */
const isWrittenRight = ({ node }: FunctionModel, expected: 'bool' | 'int'): boolean => {
  const type = node.returns.length === 1 ? node.returns[0]!.type : null
  if (type?.kind !== 'ElementaryType') return false
  return expected === 'bool' ? type.name === 'bool' : type.name === 'uint256' || intName.test(type.name)
}

const isWrong = (fn: FunctionModel): boolean => {
  const written = results.get(fn.name)
  if (written === undefined || isWrittenRight(fn, written)) return false
  const expected = standard[fn.signature]
  return expected !== undefined && isEntry(fn) && (fn.returns.length !== 1 || fn.returns[0]?.type.kind !== expected)
}

/** An NFT has `ownerOf`, and moves by the same signatures without a result. */
const isNonFungible = (contract: ContractModel): boolean =>
  contract.allFunctions.some(
    ({ signature }) => signature === 'ownerOf(uint256)' || signature.startsWith('safeTransferFrom('),
  )

export default defineDetector({
  id: 'nonstandard-erc20-interface',
  swc: null,
  title: 'Token deviates from ERC-20',
  severity: 'medium',
  confidence: 'high',
  description:
    'The contract looks like an ERC-20 token, and one of its functions returns something else than the standard says. Contracts compiled against the standard revert when they decode the result, and the tokens are stuck there.',
  recommendation:
    'Return `bool` from `transfer`, `transferFrom` and `approve`, and `uint256` from the others, as ERC-20 says.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-573'],

  read(model) {
    const hits: Hit[] = []
    for (const contract of model.contracts) {
      if (contract.contractKind === 'interface' || contract.contractKind === 'library') continue
      const wrong = contract.functions.filter(isWrong)
      if (wrong.length === 0 || countKept(contract) < 4 || isNonFungible(contract)) continue
      for (const fn of wrong)
        hits.push({
          at: fn.node.name ?? fn.node,
          message: `ERC-20 says that \`${fn.signature}\` returns one \`${standard[fn.signature] === 'bool' ? 'bool' : 'uint256'}\`.`,
        })
    }
    return hits
  },
})
