import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { neededPackages, trimLock } from './prover-packages.mjs'
import { billOfMaterials, toCycloneDx } from './sbom.mjs'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

test('the bill of materials names what serving needs, by package URL and checksum, and nothing of development', () => {
  const { bomFormat, specVersion, components } = toCycloneDx(lock)
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6'])
  const fastify = components.find(({ purl }) => /^pkg:npm\/fastify@\d/.test(purl))
  expect(fastify).toMatchObject({ name: 'fastify', licenses: [{ license: { id: 'MIT' } }], scope: 'required' })
  expect(fastify?.hashes?.[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) })
  const scoped = components.find(({ name }) => name === 'argon2')
  expect(scoped).toMatchObject({ group: '@node-rs', purl: expect.stringMatching(/^pkg:npm\/%40node-rs\/argon2@/) })
  expect(components.some(({ name }) => name === 'vitest')).toBe(false)
  expect(components.some(({ purl }) => purl.includes('undefined'))).toBe(false)
  expect(new Set(components.map((component) => component['bom-ref'])).size).toBe(components.length)
})

test('with development it names that too', () => {
  expect(toCycloneDx(lock, { withDevelopment: true }).components.some(({ name }) => name === 'vitest')).toBe(true)
})

test('the compilers and the EVM of the prover are in it, and nothing that only the command lines of compilers use', () => {
  const { components } = billOfMaterials()
  const versionsOf = (wanted: string) => components.filter(({ name }) => name === wanted).map(({ version }) => version)
  expect(versionsOf('solc').sort()).toEqual(['0.4.26', '0.5.17', '0.6.12', '0.7.6', '0.8.30'])
  expect(versionsOf('evm')).toHaveLength(1)
  for (const old of ['yargs', 'tmp', 'fs-extra', 'commander']) expect([old, versionsOf(old)]).toEqual([old, []])
})

test('the lock file of the prover installs what it loads, and nothing else', () => {
  const file = new URL('../prover/packages/package-lock.json', import.meta.url)
  const prover = JSON.parse(readFileSync(file, 'utf8'))
  expect(trimLock(prover)).toEqual(prover)
  expect(Object.keys(prover.packages).sort()).toEqual(['', ...neededPackages(prover)].sort())
})
