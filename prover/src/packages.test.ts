import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCompilers } from './packages.ts'

const page = fileURLToPath(new URL('../../docs/prover.md', import.meta.url))
const patience = 120_000

const writePackage = (folder: string, name: string, version: string): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }))
}

describe('compilers that a user adds', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-packages-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const npm = (words: readonly string[]): void => {
    execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      stdio: 'pipe',
      shell: process.platform === 'win32',
    })
  }

  it(
    'stay when another is added and when the packages are installed again',
    () => {
      for (const patch of [30, 13, 20]) writePackage(join(folder, 'sources', `solc-${patch}`), 'solc', `0.8.${patch}`)
      const manifest = { name: 'packages', version: '0.1.0', dependencies: { 'solc-0.8': 'file:sources/solc-30' } }
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
      npm(['install', '--install-links'])
      // The command of the page, with packages from a folder instead of the registry.
      const documented = /`npm (install [^`]*?) solc-0\.8\.13@npm:solc@0\.8\.13`/.exec(readFileSync(page, 'utf8'))?.[1]
      const words = documented?.split(' ') ?? []
      for (const patch of [13, 20]) {
        writePackage(join(folder, 'sources', `solc-0.8.${patch}`), `solc-0.8.${patch}`, `0.8.${patch}`)
        npm([...words, '--install-links', join(folder, 'sources', `solc-0.8.${patch}`)])
      }
      const added = () => findCompilers(folder).map(({ line, patch }) => `0.${line}.${patch}`)
      expect(added()).toEqual(['0.8.30', '0.8.20', '0.8.13'])
      npm(['ci', '--install-links'])
      expect(added()).toEqual(['0.8.30', '0.8.20', '0.8.13'])
    },
    patience,
  )

  it('are found beside those of the lock file, newest first', () => {
    writePackage(join(folder, 'node_modules', 'solc-0.4'), 'solc', '0.4.26')
    writePackage(join(folder, 'node_modules', 'solc-0.8'), 'solc', '0.8.30')
    writePackage(join(folder, 'compilers', 'node_modules', 'solc-0.8.13'), 'solc', '0.8.13')
    cpSync(join(folder, 'node_modules', 'solc-0.8'), join(folder, 'node_modules', 'semver'), { recursive: true })
    expect(readdirSync(join(folder, 'node_modules'))).toContain('semver')
    expect(findCompilers(folder).map(({ line, patch }) => `0.${line}.${patch}`)).toEqual(['0.8.30', '0.8.13', '0.4.26'])
  })
})
