import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Audited code from npm: what is reported there is, with few exceptions, noise. */
export interface CleanFile {
  /** Path below node_modules, as an import would name it. */
  readonly path: string
  readonly text: string
  /** Non-blank lines once comments are blanked, as the corpus counts them. */
  readonly codeLines: number
}

export interface CleanPackage {
  readonly name: string
  readonly version: string
  /** Everything but tests and mocks, so that imports resolve. */
  readonly all: readonly CleanFile[]
  /** The production files that are counted. */
  readonly counted: readonly CleanFile[]
}

const packages = [
  { name: '@openzeppelin/contracts', folder: '.' },
  { name: 'solmate', folder: 'src' },
  { name: '@uniswap/v2-core', folder: 'contracts' },
]

const blankComments = (text: string): string =>
  text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )

export const countCodeLines = (text: string): number =>
  blankComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '').length

const isTestPath = (file: string): boolean => /(?:^|\/)(?:tests?|mocks?)(?:\/|$)|\.t\.sol$/i.test(file)

/** A file that declares interfaces and nothing that has a body. */
const isInterfaceOnly = (text: string): boolean => {
  const code = blankComments(text)
  return (
    /\binterface\s+\w/.test(code) &&
    !/\b(?:contract|library)\s+\w+[^;{]*\{|^\s*function\s/m.test(code.replace(/\binterface\s+\w[\s\S]*?\n\}/g, ''))
  )
}

const listSolidity = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .map((file) => file.split(path.sep).join('/'))
    .sort()

export const readCleanPackages = (): CleanPackage[] => {
  const require = createRequire(import.meta.url)
  return packages.map(({ name, folder }) => {
    const manifest = require.resolve(`${name}/package.json`)
    const root = path.dirname(manifest)
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    const all = listSolidity(path.join(root, folder)).map((file): CleanFile => {
      const text = readFileSync(path.join(root, folder, file), 'utf8')
      return { path: path.posix.join(name, folder, file), text, codeLines: countCodeLines(text) }
    })
    const production = all.filter((file) => !isTestPath(file.path))
    return { name, version, all: production, counted: production.filter((file) => !isInterfaceOnly(file.text)) }
  })
}
