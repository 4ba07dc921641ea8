// What the package ships: the modules as ES modules and as CommonJS, each with types of its own kind, and the licence.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [kind, options] of [
  ['esm', []],
  ['cjs', ['--module', 'commonjs', '--verbatimModuleSyntax', 'false', '--moduleResolution', 'bundler']],
]) {
  const arguments_ = [compiler, '-p', 'tsconfig.build.json', '--outDir', `dist/${kind}`, ...options]
  execFileSync(process.execPath, arguments_, { cwd: folder, stdio: 'inherit' })
  const type = kind === 'esm' ? 'module' : 'commonjs'
  writeFileSync(join(folder, 'dist', kind, 'package.json'), `${JSON.stringify({ type })}\n`)
}
copyFileSync(join(folder, '..', 'LICENSE'), join(folder, 'LICENSE'))
