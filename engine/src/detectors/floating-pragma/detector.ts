import type { SourceFile } from '../../model/index.ts'
import type { PragmaDirective, Span, TopLevel, VersionRange } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'
import { isDeployed } from './deployed.ts'

interface Candidate {
  readonly at: Span
  /** The texts of the pragmas; none where the file has no pragma at all. */
  readonly values: readonly string[]
  readonly file: SourceFile
  /** Something in the file gets code of its own on chain. */
  readonly isBuilt: boolean
}

const isPragma = (member: TopLevel): member is PragmaDirective =>
  member.kind === 'PragmaDirective' && member.name === 'solidity'

/** Pragmas that stand together are one statement about the compiler, so they are reported as one. */
const together = (members: readonly TopLevel[], pragmas: readonly PragmaDirective[]): Span => {
  const first = pragmas[0]!
  let end = first.end
  for (let at = members.indexOf(first) + 1; members[at]?.kind === 'PragmaDirective'; at++)
    if (pragmas.includes(members[at] as PragmaDirective)) end = members[at]!.end
  return { start: first.start, end }
}

/** The name of the first thing that is compiled. */
const firstName = (members: readonly TopLevel[]): Span | undefined => {
  const definition = members.find(({ kind }) => kind === 'ContractDefinition' || kind === 'FunctionDefinition')
  const name = definition && 'name' in definition ? definition.name : null
  return name !== null && typeof name === 'object' ? name : undefined
}

const describe = ({ values, file }: Candidate): string => {
  if (values.length === 0) return 'The file has no pragma, so any compiler version is accepted.'
  const distinct = [...new Set(values)].map((value) => `\`${value}\``)
  const quoted = [distinct.slice(0, -1).join(', '), distinct.at(-1)].filter(Boolean).join(' and ')
  const subject = quoted.length > 120 ? 'These pragmas together' : quoted
  const [verb, verbOfRange] = distinct.length === 1 ? ['allows', 'floats'] : ['allow', 'float']
  const [only, another] = file.versions.range.releases()
  if (only === undefined || another !== undefined)
    return `${subject} ${verb} more than one compiler version, so the deployed bytecode may differ from what was tested.`
  return `${subject} ${verbOfRange}, although ${only} is the only released compiler that matches.`
}

const pinTo = (version: string): string =>
  `Pin the pragma to the exact tested version, for example \`pragma solidity ${version};\`.`

/** A version that the pragma admits. */
const pinOf = ({ file }: Candidate): string => {
  const releases = file.versions.range.releases()
  return pinTo(releases.includes('0.8.28') ? '0.8.28' : (releases.at(-1) ?? '0.8.28'))
}

/** Whether what is built of the file together with all it imports leaves a choice between released compilers. */
const leavesChoice = (file: SourceFile): boolean => {
  const seen = new Set([file])
  let shared: VersionRange = file.versions.range
  for (const { imports } of seen) {
    if (shared.releases().length < 2) return false
    for (const { target } of imports) {
      if (target === null || target.isStub || seen.has(target)) continue
      seen.add(target)
      if (target.versions.stated && !target.versions.range.isEmpty) shared = shared.intersect(target.versions.range)
    }
  }
  return shared.releases().length > 1
}

/** One doubt at most: that the pragma floats is certain, what comes of it is not. */
const counterEvidenceOf = ({ file, isBuilt }: Candidate): readonly string[] => {
  if (!isBuilt) return ['nothing in the file is deployed on its own']
  return leavesChoice(file) ? [] : ['only one compiler version can build it']
}

export default defineDetector<Candidate>({
  id: 'floating-pragma',
  swc: 'SWC-103',
  title: 'Floating pragma',
  aliases: {
    slither: ['pragma', 'solc-version'],
    aderyn: ['unspecific-solidity-pragma'],
    scwe: ['SCWE-060'],
    words: ['unlocked pragma', 'caret pragma'],
  },
  severity: 'high',
  confidence: 'high',
  description:
    'The pragma allows more than one compiler version, so the deployed bytecode may come from a different compiler than the one that was tested.',
  recommendation: pinTo('0.8.28'),
  references: ['https://swcregistry.io/docs/SWC-103'],
  cwe: ['CWE-664'],

  *candidatesInFile(file, model) {
    const { unit, versions, contracts } = file
    const isBuilt = () => contracts.some((contract) => isDeployed(model, contract))
    if (!versions.stated) {
      const at = firstName(unit.members)
      if (at) yield { at, values: [], file, isBuilt: isBuilt() }
    } else if (!versions.range.isPinned && !versions.range.isEmpty) {
      const pragmas = unit.members.filter(isPragma)
      const values = pragmas.map(({ value }) => value)
      yield { at: together(unit.members, pragmas), values, file, isBuilt: isBuilt() }
    }
  },

  finding: (candidate) => ({
    at: candidate.at,
    message: describe(candidate),
    recommendation: pinOf(candidate),
    factors: { isInText: true, counterEvidence: counterEvidenceOf(candidate) },
  }),
})
