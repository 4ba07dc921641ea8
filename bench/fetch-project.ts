import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Packages that were fetched, and what benches keep beside them. */
export const projectCache = fileURLToPath(new URL('../.cache/projects', import.meta.url))

/** The unpacked package; undefined when it cannot be fetched. */
export function fetchProject(name: string): string | undefined {
  const folder = join(projectCache, name.replace(/[/@]/g, '_'))
  const unpacked = join(folder, 'package')
  if (existsSync(unpacked)) return unpacked
  mkdirSync(folder, { recursive: true })
  const packed = spawnSync('npm', ['pack', name, '--silent'], { cwd: folder, encoding: 'utf8' })
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (packed.status === 0 && tarball) spawnSync('tar', ['xzf', tarball], { cwd: folder })
  if (tarball) rmSync(join(folder, tarball), { force: true })
  return existsSync(unpacked) ? unpacked : undefined
}
