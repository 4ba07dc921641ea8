import type { PragmaDirective } from '../syntax/index.ts'
import { defineDetector } from './detector.ts'

const exact = /^=?\s*v?\d+\.\d+\.\d+$/

const isPinned = ({ value }: PragmaDirective): boolean => exact.test(value.replace(/^["']|["']$/g, '').trim())

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
      const pragmas = unit.members.filter((member) => member.kind === 'PragmaDirective')
      const versions = pragmas.filter(({ name }) => name === 'solidity')
      const contract = unit.members.find((member) => member.kind === 'ContractDefinition')
      const [floating] = versions.filter((pragma) => !isPinned(pragma))
      if (floating && versions.every((pragma) => !isPinned(pragma)))
        yield { at: floating, message: `\`${floating.value}\` admits more than one compiler version.` }
      else if (versions.length === 0 && contract)
        yield { at: contract.name, message: 'The file does not say which compiler version it is written for.' }
    }
  },
})
