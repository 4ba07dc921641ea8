// Puts together what the container image holds, and nothing else: the bundles, the packages that they load, compilers and EVM of the
// prover, the dashboard, the bill of materials. The Dockerfile calls it; `npm run image:tree` tries it without Docker.
//   node tools/image.mjs <folder>
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from './build.mjs'
import { Failure, isMain, main, root, say } from './project.mjs'
import { dependenciesOf, findPlace, neededPackages } from './prover-packages.mjs'
import { billOfMaterials } from './sbom.mjs'

/** Copied as they are. */
const whole = [
  'LICENSE',
  'package.json',
  'cli/bin',
  'cli/dist',
  'cli/package.json',
  'downloads/dist',
  'prover/packages/package.json',
  'server/assets',
  'server/bin',
  'server/dist',
  'server/package.json',
  'web/dist',
]

/** Of what runs from its bundle and loads packages. */
const served = ['server']

export async function assembleImage(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Failure(`${folder} is not empty.`)
  await build()
  for (const path of whole) copy(path, folder)
  const lock = readLock('package-lock.json')
  for (const place of packagesOf(lock)) copy(place, folder, isPart)
  const prover = readLock('prover/packages/package-lock.json')
  for (const place of neededPackages(prover)) copy(`prover/packages/${place}`, folder, isPart)
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
}

const readLock = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** The places of what the bundles load; our own workspaces are in the bundles. */
function packagesOf({ packages }) {
  const places = new Set()
  const take = (name, from) => {
    const place = findPlace(packages, name, from)
    if (place === undefined || places.has(place)) return
    const isWorkspace = packages[place].link === true
    if (!isWorkspace) places.add(place)
    for (const dependency of dependenciesOf(isWorkspace ? packages[packages[place].resolved] : packages[place]))
      take(dependency, isWorkspace ? '' : place)
  }
  for (const workspace of served) for (const name of dependenciesOf(packages[workspace])) take(name, workspace)
  // Of other systems: listed, not installed.
  return [...places].filter((place) => existsSync(join(root, place)))
}

/** Neither what another place brings, nor what only readers of the package want. */
const isPart = (path) => !/\/node_modules(\/|$)|\.(map|md|markdown|d\.[cm]?ts)$/i.test(path)

function copy(path, folder, isWanted = () => true) {
  const [from, to] = [join(root, path), join(folder, path)]
  if (!existsSync(from)) throw new Failure(`${path} is missing: run npm run setup:prover.`)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, dereference: true, filter: (each) => isWanted(each.slice(from.length)) })
}

if (isMain(import.meta.url))
  await main(async () => {
    const [, , given] = process.argv
    if (!given) throw new Failure('name the folder: node tools/image.mjs <folder>')
    const folder = resolve(given)
    rmSync(join(folder, '.keep'), { force: true })
    await assembleImage(folder)
    say(`assembled in ${folder}`)
  })
