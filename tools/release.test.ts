import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, verify } from './release.mjs'

describe('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-test-'))
  let listed: { name: string; digest: { sha256: string } }[]
  beforeAll(async () => {
    listed = await release({ folder, withChanges: true, repository: 'git+https://git.example.com/team/assay.git' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  test('holds command, client, extension, bill of materials, statement and the checksum of each', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'SHA256SUMS',
      expect.stringMatching(/^assay-cli-\d+\.\d+\.\d+\.tgz$/),
      expect.stringMatching(/^assay-client-\d+\.\d+\.\d+\.tgz$/),
      expect.stringMatching(/^assay-vscode-\d+\.\d+\.\d+\.vsix$/),
      'provenance.intoto.json',
      'sbom.cdx.json',
    ])
    expect(read('SHA256SUMS')).toBe(listed.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join(''))
    expect(JSON.parse(read('sbom.cdx.json')).bomFormat).toBe('CycloneDX')
  })

  test('states what it was built from', () => {
    const { _type, predicateType, subject, predicate } = JSON.parse(read('provenance.intoto.json'))
    expect([_type, predicateType]).toEqual(['https://in-toto.io/Statement/v1', 'https://slsa.dev/provenance/v1'])
    expect(subject).toHaveLength(4)
    expect(subject).toContainEqual({
      name: 'sbom.cdx.json',
      digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const uris = predicate.buildDefinition.resolvedDependencies.map(({ uri }: { uri: string }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['package-lock.json', 'prover/packages/package-lock.json']))
  })

  test('is built again to the same bytes, and a changed file is named', async () => {
    expect(await verify(folder)).toEqual([])
    appendFileSync(join(folder, 'sbom.cdx.json'), ' ')
    expect(await verify(folder)).toEqual(['sbom.cdx.json is not the file of the statement.'])
  })

  test('is not written over what a folder holds', async () => {
    await expect(release({ folder, withChanges: true })).rejects.toThrow('is not empty')
  })
})
