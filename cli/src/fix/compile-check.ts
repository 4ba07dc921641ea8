import type { Io } from '../io.ts'
import { prepareProver } from '../prove/load-prover.ts'
import type { Program } from '../scan/programs.ts'

/** Why files do not compile, with code for those in `codeFor`; undefined when they do. */
export type CompileCheck = (
  program: Program,
  files: Program['files'],
  codeFor: readonly string[],
) => Promise<string | undefined>

/** Compiles by the prover's compilers, where they are installed; undefined where they are not. */
export async function createCompileCheck(io: Io): Promise<CompileCheck | undefined> {
  const prover = await prepareProver(io)
  if (!prover.isInstalled()) return undefined
  return async (program, files, codeFor) => {
    const remappings = Object.entries(program.importTargets).flatMap(([file, targets]) =>
      Object.entries(targets).flatMap(([written, target]) =>
        written.startsWith('.') ? [] : [`${file}:${written}=${target}`],
      ),
    )
    return prover.whyNotCompiled(files, remappings, codeFor)
  }
}
