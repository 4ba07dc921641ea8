import type { SourceFile } from '../../model/index.ts'
import { definePractice, type Practice, type Subject } from '../practice.ts'

const category = 'Compiler'

const hasContracts = ({ unit }: SourceFile): boolean => unit.members.some(({ kind }) => kind === 'ContractDefinition')

const subjectOf = ({ base, path }: SourceFile, isKept: boolean): Subject => ({
  at: { start: base, end: base },
  name: path,
  isKept,
})

const ifWithContracts = (file: SourceFile, isKept: (file: SourceFile) => boolean): Subject[] =>
  hasContracts(file) ? [subjectOf(file, isKept(file))] : []

/** The compiler looks for it in comments too. */
const statesLicence = ({ comments, text, base }: SourceFile): boolean =>
  comments.some(({ start, end }) => text.slice(start - base, end - base).includes('SPDX-License-Identifier:'))

const pinnedCompiler = definePractice({
  id: 'pinned-compiler',
  category,
  subjectsInFile: (file) =>
    file.versions.stated ? ifWithContracts(file, ({ versions }) => versions.range.isPinned) : [],
  kept: 'The compiler version is pinned.',
  advice: () => 'Pin the pragma to the compiler version that is tested and deployed.',
})

const statedCompiler = definePractice({
  id: 'stated-compiler',
  category,
  subjectsInFile: (file) => ifWithContracts(file, ({ versions }) => versions.stated),
  advice: () => 'Add a pragma with the tested compiler version, for example `pragma solidity 0.8.28;`.',
})

const recentCompiler = definePractice({
  id: 'recent-compiler',
  category,
  subjectsInFile: (file) =>
    file.versions.stated ? [subjectOf(file, !file.versions.range.overlaps(null, '0.8.0'))] : [],
  advice: () => 'Use Solidity 0.8 or later, which checks arithmetic and fixes many compiler bugs.',
  isUrgent: true,
})

const statedLicence = definePractice({
  id: 'stated-licence',
  category,
  subjectsInFile: (file) => ifWithContracts(file, statesLicence),
  kept: 'The license is stated.',
  advice: () => 'State the license in the first line: `// SPDX-License-Identifier: …`.',
})

export const compiler: readonly Practice[] = [pinnedCompiler, statedCompiler, recentCompiler, statedLicence]
