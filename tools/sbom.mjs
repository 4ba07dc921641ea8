// The bill of materials of the service with its prover, CycloneDX 1.6 on standard output, made from the lock files alone:
//   npm run sbom > sbom.json        (--all: also what only development needs)
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { neededPackages } from './prover-packages.mjs'

const readLock = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

/**
 * @param {{ name: string, version: string, packages: Record<string, any> }} lock
 * @param {{ withDevelopment?: boolean, prover?: { packages: Record<string, any> } }} options
 */
export function toCycloneDx(lock, { withDevelopment = false, prover } = {}) {
  const components = new Map()
  const add = (path, entry) => {
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const component = toComponent(name, entry)
    components.set(component['bom-ref'], component)
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || entry.link || (entry.dev && !withDevelopment)) continue
    add(path, entry)
  }
  if (prover) for (const path of neededPackages(prover)) add(path, prover.packages[path])
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'assay', name: lock.name, version: lock.version } },
    components: [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
  }
}

function toComponent(name, { version, license, integrity, optional }) {
  const [, group, plain] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name) ?? []
  const purl = `pkg:npm/${group ? `${group.replace('@', '%40')}/` : ''}${plain}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: plain,
    version,
    scope: optional ? 'optional' : 'required',
    ...(integrity && { hashes: integrity.split(' ').map(toHash) }),
    ...(license && { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl,
  }
}

const algorithms = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

function toHash(integrity) {
  const [algorithm, content] = integrity.split(/-(.*)/s)
  return { alg: algorithms[algorithm], content: Buffer.from(content, 'base64').toString('hex') }
}

/** Of this checkout, compilers and EVM of the prover included. */
export const billOfMaterials = (options = {}) =>
  toCycloneDx(readLock('package-lock.json'), { ...options, prover: readLock('prover/packages/package-lock.json') })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const withDevelopment = process.argv.includes('--all')
  process.stdout.write(`${JSON.stringify(billOfMaterials({ withDevelopment }), null, 2)}\n`)
}
