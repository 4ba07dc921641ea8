/** Sources of dependencies from a folder where npm installed them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { InputFile } from '@assay/engine'

/** A package keeps its sources at its root, in `src` or in `contracts`; forge-std comes inside of another one. OpenZeppelin is the prover's own. */
export const readPackageFile = (folder: string | undefined, wanted: string): InputFile | undefined => {
  if (!folder || /^@openzeppelin\/contracts(?:-upgradeable)?\//.test(wanted)) return undefined
  const [, name = '', rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)\/(.+)$/.exec(wanted) ?? []
  const modules = path.join(folder, 'node_modules')
  const roots = [path.join(modules, name), path.join(modules, '@layerzerolabs/toolbox-foundry/lib', name)]
  const found = roots
    .flatMap((root) => ['', 'src', 'contracts'].map((sub) => path.join(root, sub, rest)))
    .find((file) => existsSync(file))
  return found ? { path: wanted, text: readFileSync(found, 'utf8') } : undefined
}
