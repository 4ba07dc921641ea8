import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { buildSync } from 'esbuild'

/**
 * Runs a module that is written down here with all that it imports as one script: for tests that need a hundred modules, which the test runner
 * would transform one by one.
 */
export function loadBundle<Exports>(contents: string, folder: string): Exports {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    sourcemap: 'inline',
    external: ['node:*'],
  })
  const module = { exports: {} as Exports }
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require'], { filename: `bundle:${folder}` })(
    module,
    module.exports,
    createRequire(import.meta.url),
  )
  return module.exports
}
