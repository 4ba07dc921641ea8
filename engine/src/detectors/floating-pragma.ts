import { type PragmaDirective, type Span, type TopLevel, versionRangeOf } from '../syntax/index.ts'
import { defineDetector } from './detector.ts'

/** Pragmas that stand together are one statement about the compiler, so they are reported as one. */
const together = (members: readonly TopLevel[], pragmas: readonly PragmaDirective[]): Span => {
  const first = pragmas[0]!
  let end = first.end
  for (let at = members.indexOf(first) + 1; members[at]?.kind === 'PragmaDirective'; at++)
    if (pragmas.includes(members[at] as PragmaDirective)) end = members[at]!.end
  return { start: first.start, end }
}

const definitions = new Set(['ContractDefinition', 'FunctionDefinition'])

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

  *run({ model: { files } }) {
    for (const { unit } of files) {
      const pragmas = unit.members.filter(
        (member): member is PragmaDirective => member.kind === 'PragmaDirective' && member.name === 'solidity',
      )
      if (pragmas.length > 0) {
        const range = versionRangeOf(pragmas.map(({ value }) => value))
        if (range.isPinned || range.isEmpty) continue
        const values = pragmas.map(({ value }) => `\`${value}\``).join(' and ')
        const at = together(unit.members, pragmas)
        const subject = values.length > 200 ? 'These pragmas' : values
        yield { at, message: `${subject} ${pragmas.length === 1 ? 'admits' : 'admit'} more than one compiler version.` }
        continue
      }
      const definition = unit.members.find(({ kind }) => definitions.has(kind))
      if (definition && 'name' in definition && definition.name !== null && typeof definition.name === 'object')
        yield { at: definition.name, message: 'The file does not say which compiler version it is written for.' }
    }
  },
})
