import type { SourceFile } from '../../model/index.ts'
import type { PragmaDirective, Span, TopLevel } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

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

const checkPragmas = ({ unit, versions: { range } }: SourceFile, hits: Hit[]): void => {
  if (range.isPinned || range.isEmpty) return
  const pragmas = unit.members.filter(isPragma)
  const values =
    pragmas.length === 1 ? `\`${pragmas[0]!.value}\`` : pragmas.map(({ value }) => `\`${value}\``).join(' and ')
  const at = together(unit.members, pragmas)
  const subject = values.length > 200 ? 'These pragmas' : values
  hits.push({ at, message: `${subject} ${pragmas.length === 1 ? 'admits' : 'admit'} more than one compiler version.` })
}

const isDefinition = ({ kind }: TopLevel): boolean => kind === 'ContractDefinition' || kind === 'FunctionDefinition'

const findMissing = ({ unit }: SourceFile, hits: Hit[]): void => {
  const definition = unit.members.find(isDefinition)
  if (definition && 'name' in definition && definition.name !== null && typeof definition.name === 'object')
    hits.push({ at: definition.name, message: 'The file does not say which compiler version it is written for.' })
}

export default defineDetector({
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

  read(model) {
    const hits: Hit[] = []
    for (const file of model.files) {
      if (file.versions.stated) checkPragmas(file, hits)
      else findMissing(file, hits)
    }
    return hits
  },
})
