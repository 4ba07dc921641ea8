// The bill of materials of the service, CycloneDX 1.6 on standard output, made from the lock file alone:
//   npm run sbom > sbom.json        (--all: also what only development needs)
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const lockFile = fileURLToPath(new URL('../package-lock.json', import.meta.url))

/**
 * @param {{ name: string, version: string, packages: Record<string, any> }} lock
 * @param {{ withDevelopment?: boolean }} options
 */
export function toCycloneDx(lock, { withDevelopment = false } = {}) {
  const components = new Map()
  for (const [path, entry] of Object.entries(lock.packages)) {
    const at = path.lastIndexOf('node_modules/')
    if (at < 0 || entry.link || (entry.dev && !withDevelopment)) continue
    const name = entry.name ?? path.slice(at + 'node_modules/'.length)
    const component = toComponent(name, entry)
    components.set(component['bom-ref'], component)
  }
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
  const withDevelopment = process.argv.includes('--all')
  process.stdout.write(`${JSON.stringify(toCycloneDx(lock, { withDevelopment }), null, 2)}\n`)
}
