// What the package ships: the modules as ES modules and as CommonJS, each with types of its own kind, and the licence.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const made = (...path) => join(folder, 'dist', ...path)

rmSync(made(), { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', 'dist/esm'], {
  cwd: folder,
  stdio: 'inherit',
})
await build({
  entryPoints: [join(folder, 'src', 'index.ts')],
  outfile: made('cjs', 'index.js'),
  bundle: true,
  format: 'cjs',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
})
// What a declaration means depends on the kind of the package that it lies in.
cpSync(made('esm'), made('cjs'), { recursive: true, filter: (path) => !path.endsWith('.js') })
for (const [kind, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
])
  writeFileSync(made(kind, 'package.json'), `${JSON.stringify({ type })}\n`)
copyFileSync(join(folder, '..', 'LICENSE'), join(folder, 'LICENSE'))
