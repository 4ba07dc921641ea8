// Which of the prover's packages it loads. Compilers also bring what only their own command lines use, some of it a decade old: that is
// neither installed nor shipped nor listed. npm cannot leave out a dependency of a dependency, so it is taken out of the lock file:
//   node tools/prover-packages.mjs     after a change of prover/packages/package.json and `npm install --package-lock-only` there
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './project.mjs'

/** What a compiler of the line 0.4 … 0.8 needs for its command line alone. */
const ofCommandLines = new Set(['command-exists', 'commander', 'fs-extra', 'tmp', 'yargs'])

/** The places in the lock file of what is needed, by what needs it. */
export function neededPackages({ packages }) {
  const needed = new Set()
  const take = (name, from) => {
    const place = findPlace(packages, name, from)
    if (place === undefined || needed.has(place)) return
    needed.add(place)
    const isCompiler = packages[place].name === 'solc'
    for (const dependency of dependenciesOf(packages[place]))
      if (!isCompiler || !ofCommandLines.has(dependency)) take(dependency, place)
  }
  for (const name of dependenciesOf(packages[''])) take(name, '')
  return needed
}

export const dependenciesOf = ({ dependencies, optionalDependencies }) =>
  Object.keys({ ...dependencies, ...optionalDependencies })

/** As Node resolves: beside the importing file, then in the folders above. */
export function findPlace(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (packages[place]) return place
    if (!folder) return undefined
  }
}

/** The lock file without what is not loaded; `npm ci` installs what is left, by its checksums. */
export function trimLock(lock) {
  const needed = neededPackages(lock)
  const kept = Object.entries(lock.packages).filter(([place]) => place === '' || needed.has(place))
  return { ...lock, packages: Object.fromEntries(kept.map(([place, entry]) => [place, withoutCommandLine(entry)])) }
}

function withoutCommandLine(entry) {
  if (entry.name !== 'solc') return entry
  const kept = Object.entries(entry.dependencies).filter(([name]) => !ofCommandLines.has(name))
  return { ...entry, dependencies: Object.fromEntries(kept) }
}

if (isMain(import.meta.url)) {
  const file = join(root, 'prover', 'packages', 'package-lock.json')
  writeFileSync(file, `${JSON.stringify(trimLock(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`)
}
