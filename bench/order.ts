/**
 * Real projects scanned with their files in order, reversed, shuffled, and split (half of the files reported at a time, the others read): the
 * findings must be the same. Beside it, how many differ when halves are scanned alone: heirs and hosts of what they declare are missing then.
 *   npm run bench:order [-- <part of a name> …]
 * Uses the projects of the corpus. Prints the files that a budget cut as well. Exits 1 when anything differs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type InputFile, type Report, scanFiles } from '@assay/engine'
import { corpusFolder } from './corpus.ts'
import { textTable } from './text-table.ts'

const readProject = (folder: string): InputFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: path.relative(folder, file), text: readFileSync(file, 'utf8') }))

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(folder, name))
    : []

/** In an order that is always the same one. */
const shuffled = (files: readonly InputFile[]): InputFile[] => {
  let state = 7
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return files
    .map((file) => ({ file, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file)
}

/** Every second file is reported, then the others. */
const inHalves = (files: readonly InputFile[], scanHalf: (reported: readonly string[]) => Report[]): Report[] =>
  [0, 1].flatMap((half) => {
    const reported = files.filter((_, index) => index % 2 === half).map((file) => file.path)
    return reported.length === 0 ? [] : scanHalf(reported)
  })

/** As a part of a project: files that use what is reported are read. */
const scanSplit = (files: readonly InputFile[]): Report[] => {
  const imports = files.map((file, index) => `import * as File${index} from "./${file.path}";\n`)
  const all = { path: 'everything.sol', text: imports.join('') }
  return inHalves(files, (reported) => scanFiles([...files, all], { reported: [...reported, all.path] })).filter(
    ({ path: file }) => file !== all.path,
  )
}

/** As files that are given alone: what they import is read, what uses them is not. */
const scanAlone = (files: readonly InputFile[]): Report[] =>
  inHalves(files, (reported) => scanFiles(files, { reported }))

const findingLines = (reports: readonly Report[]): string[] =>
  reports
    .flatMap(({ path: file, findings, advisories }) =>
      [...findings, ...advisories].map(
        ({ line, column, detector, severity, confidence, message }) =>
          `${file}:${line}:${column} ${detector} ${severity} ${confidence} ${message}`,
      ),
    )
    .sort()

const countDifferent = (one: readonly string[], other: readonly string[]): number => {
  const known = new Set(other)
  return one.filter((line) => !known.has(line)).length
}

const isCut = ({ diagnostics }: Report): boolean => diagnostics.some(({ code }) => code === 'budget-exhausted')

const wanted = process.argv.slice(2)
const folders = [
  ...foldersIn(path.join(corpusFolder(), 'clean')),
  ...foldersIn(path.join(corpusFolder(), 'modern-projects', 'web3bugs')),
].filter((folder) => wanted.length === 0 || wanted.some((word) => folder.includes(word)))
let differences = 0
let differencesAlone = 0
const rows = folders.map((folder) => {
  const files = readProject(folder)
  const reports = scanFiles(files)
  const before = findingLines(reports)
  const [alone = 0, ...changed] = [
    scanAlone(files),
    scanFiles([...files].reverse()),
    scanFiles(shuffled(files)),
    scanSplit(files),
  ].map((other) => {
    const after = findingLines(other)
    return countDifferent(before, after) + countDifferent(after, before)
  })
  for (const count of changed) differences += count
  differencesAlone += alone
  const cut = reports.filter(isCut).length
  return [path.basename(folder), ...[files.length, before.length, cut, ...changed, alone].map(String)]
})
console.log(textTable(['project', 'files', 'findings', 'cut', 'reversed', 'shuffled', 'split', 'alone'], rows))
console.log(`${differencesAlone} differ where files that use the reported ones are not read`)
console.log(differences === 0 ? 'the same in every order, whole and split' : `${differences} differ`)
process.exitCode = differences === 0 && rows.length > 0 ? 0 : 1
