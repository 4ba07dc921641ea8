import {
  type ContractMember,
  type FunctionDefinition,
  type Node,
  nodesOf,
  type Parameter,
  type PragmaDirective,
  type SourceUnit,
  type StructDefinition,
  type TopLevel,
  type VersionRange,
  versionRange,
  type YulCall,
} from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

/** A compiler bug of medium or higher severity from 0.8 on, and whether this code has what it takes to meet it. */
interface CompilerBug {
  readonly name: string
  readonly versions: VersionRange
  readonly fixedIn: string
  /** What the compiled code does wrong. */
  readonly harm: string
  canMeet(unit: SourceUnit): boolean
}

const instructionsIn = (node: Node, unit: SourceUnit, name: string): readonly YulCall[] =>
  nodesOf(unit, 'YulCall').filter((call) => call.name.name === name && call.start >= node.start && call.end <= node.end)

const isStaticWords = (fields: StructDefinition['fields']): boolean => {
  const last = fields.at(-1)?.type
  return (
    last?.kind === 'ArrayType' &&
    last.length !== null &&
    last.base.kind === 'ElementaryType' &&
    ['uint', 'uint256', 'bytes32'].includes(last.base.name)
  )
}

const isDynamic = ({ type }: StructDefinition['fields'][number]): boolean =>
  (type.kind === 'ArrayType' && type.length === null) ||
  (type.kind === 'ElementaryType' && (type.name === 'bytes' || type.name === 'string'))

const isRisky = ({ fields }: StructDefinition): boolean => isStaticWords(fields) && fields.some(isDynamic)

const isCalldata = ({ location, type }: Parameter, structs: ReadonlySet<string>): boolean =>
  location === 'calldata' && type.kind === 'UserType' && structs.has(type.path.names.at(-1)!.name)

const membersOf = (unit: SourceUnit): readonly (TopLevel | ContractMember)[] =>
  unit.members.flatMap((member): readonly (TopLevel | ContractMember)[] =>
    member.kind === 'ContractDefinition' ? member.members : [member],
  )

const structsOf = (unit: SourceUnit): StructDefinition[] =>
  membersOf(unit).filter((member): member is StructDefinition => member.kind === 'StructDefinition')

const functionsOf = (unit: SourceUnit): FunctionDefinition[] =>
  membersOf(unit).filter((member): member is FunctionDefinition => member.kind === 'FunctionDefinition')

const bugs: readonly CompilerBug[] = [
  {
    name: 'KeccakCaching',
    versions: versionRange('>=0.8.0 <0.8.3'),
    fixedIn: '0.8.3',
    harm: '`keccak256` may return the hash of other data',
    canMeet: (unit) =>
      nodesOf(unit, 'AssemblyStatement').some((block) => instructionsIn(block, unit, 'keccak256').length > 1),
  },
  {
    name: 'InlineAssemblyMemorySideEffects',
    versions: versionRange('>=0.8.13 <0.8.15'),
    fixedIn: '0.8.15',
    harm: 'the optimizer may drop memory writes',
    canMeet: (unit) =>
      nodesOf(unit, 'AssemblyStatement').some(
        (block) =>
          instructionsIn(block, unit, 'mstore').length > 0 &&
          ['mload', 'keccak256', 'return', 'revert', 'call', 'log0', 'log1'].every(
            (name) => instructionsIn(block, unit, name).length === 0,
          ),
      ),
  },
  {
    name: 'StorageWriteRemovalBeforeConditionalTermination',
    versions: versionRange('>=0.8.13 <0.8.17'),
    fixedIn: '0.8.17',
    harm: 'the optimizer may drop storage writes',
    canMeet: (unit) =>
      nodesOf(unit, 'AssemblyStatement').length > 0 &&
      nodesOf(unit, 'YulFunctionDefinition').some(
        (fn) =>
          instructionsIn(fn, unit, 'return').length + instructionsIn(fn, unit, 'stop').length > 0 &&
          nodesOf(unit, 'YulCall').some((call) => call.name.name === 'sstore'),
      ),
  },
  {
    name: 'AbiReencodingHeadOverflowWithStaticArrayCleanup',
    versions: versionRange('>=0.8.0 <0.8.16'),
    fixedIn: '0.8.16',
    harm: 'encoding a struct may zero one of its fields',
    canMeet: (unit) => {
      const risky = new Set(
        structsOf(unit)
          .filter(isRisky)
          .map(({ name }) => name.name),
      )
      return risky.size > 0 && functionsOf(unit).some(({ params }) => params.some((param) => isCalldata(param, risky)))
    },
  },
]

interface Candidate {
  readonly pragma: PragmaDirective
  /** A bug that the newest admitted compiler still has; null where no compiler of the 0.8 line is admitted. */
  readonly bug: CompilerBug | null
}

const pragmaOf = ({ members }: SourceUnit): PragmaDirective =>
  members.find((member) => member.kind === 'PragmaDirective' && member.name === 'solidity') as PragmaDirective

export default defineDetector<Candidate>({
  id: 'outdated-compiler',
  swc: 'SWC-102',
  title: 'Outdated compiler version',
  aliases: { slither: ['solc-version'], scwe: ['SCWE-061'], words: ['old solidity', 'compiler bug'] },
  severity: 'low',
  confidence: 'high',
  description:
    'The pragma only allows compilers that lack years of safety fixes (checked arithmetic came with 0.8.0), or one with a known bug that affects this code.',
  recommendation: 'Use a recent 0.8 compiler and pin it.',
  references: ['https://swcregistry.io/docs/SWC-102', 'https://docs.soliditylang.org/en/latest/bugs.html'],
  cwe: ['CWE-937'],

  *candidatesInFile({ unit, versions }) {
    const { stated, range } = versions
    if (!stated || range.isEmpty || !range.isReadable) return
    if (!range.overlaps('0.8.0', null)) yield { pragma: pragmaOf(unit), bug: null }
    else {
      const newest = range.max()
      const bug = bugs.find((one) => newest !== null && one.versions.admits(newest) && one.canMeet(unit))
      if (bug) yield { pragma: pragmaOf(unit), bug }
    }
  },

  finding: ({ pragma, bug }) => ({
    at: pragma,
    message:
      bug === null
        ? `\`pragma solidity ${pragma.value}\` allows no compiler from 0.8 on, so arithmetic wraps around without an error and compiler bugs fixed since then remain.`
        : `\`pragma solidity ${pragma.value}\` allows only compilers with the bug ${bug.name}, which can affect the assembly or calldata code in this file: ${bug.harm}. It is fixed in ${bug.fixedIn}.`,
  }),
})
