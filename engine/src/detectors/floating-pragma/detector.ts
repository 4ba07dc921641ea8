import type { PragmaDirective, Span, TopLevel } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly at: Span
  /** The texts of the pragmas; none where the file has no pragma at all. */
  readonly values: readonly string[]
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

const describe = (values: readonly string[]): string => {
  if (values.length === 0) return 'The file does not say which compiler version it is written for.'
  const quoted = values.map((value) => `\`${value}\``).join(' and ')
  const subject = quoted.length > 200 ? 'These pragmas' : quoted
  return `${subject} ${values.length === 1 ? 'admits' : 'admit'} more than one compiler version.`
}

export default defineDetector<Candidate>({
  id: 'floating-pragma',
  swc: 'SWC-103',
  title: 'Floating pragma',
  severity: 'high',
  confidence: 'high',
  description:
    'The file admits more than one compiler version, so what is deployed may be built by another compiler than the one that was tested.',
  recommendation:
    'Pin the pragma to the exact compiler version that was tested, for example `pragma solidity 0.8.28;`.',
  references: ['https://swcregistry.io/docs/SWC-103'],
  cwe: ['CWE-664'],

  *candidatesInModel({ files }) {
    for (const { unit, versions } of files) {
      if (!versions.stated) {
        const at = firstName(unit.members)
        if (at) yield { at, values: [] }
      } else if (!versions.range.isPinned && !versions.range.isEmpty) {
        const pragmas = unit.members.filter(isPragma)
        yield { at: together(unit.members, pragmas), values: pragmas.map(({ value }) => value) }
      }
    }
  },

  finding: ({ at, values }) => ({ at, message: describe(values), grounds: { isInText: true } }),
})
