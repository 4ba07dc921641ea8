// Which of the prover's packages it loads. Compilers also bring what only their own command lines use, some of it a decade old: that is
// neither shipped nor listed.

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
