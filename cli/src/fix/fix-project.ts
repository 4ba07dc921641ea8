import { chooseCompilerVersion, type FixedProgram, fixProgram } from '@assay/engine'
import { type ProjectSources, readProjectSources, type SourceRequest } from '../input/read-project.ts'
import type { Io } from '../io.ts'
import { fix as messages } from '../messages/commands.ts'
import { cacheFolder } from '../scan/cache.ts'
import type { Shown } from '../scan/outcome.ts'
import type { Program } from '../scan/programs.ts'
import { wantedFindings } from '../scan/select-findings.ts'
import { createCompileCheck } from './compile-check.ts'
import { scanFindings } from './scan-findings.ts'

export interface FixOptions {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly unsafe: boolean
  /** The compiler version to pin. */
  readonly solc?: string | undefined
}

export interface FixedPart {
  readonly program: Program
  readonly fixed: FixedProgram<Shown>
  /** Files, of all that are reported. */
  readonly done: number
  readonly total: number
}

/** The patches of a project, program by program; nothing is written. */
export async function fixProject(
  sources: ProjectSources,
  request: SourceRequest,
  options: FixOptions,
  io: Io,
): Promise<AsyncGenerator<FixedPart>> {
  const isWanted = await wantedFindings(options.only, options.skip)
  const compilerVersion = await versionFor(sources, request, options.solc, io)
  const compile = await createCompileCheck(io)
  async function* programs(): AsyncGenerator<FixedPart> {
    const total = sources.programs.reduce((sum, { reported }) => sum + reported.length, 0)
    let done = 0
    for (const program of sources.programs) {
      const fixed = await fixProgram<Shown>(program, {
        compilerVersion,
        withUnsafe: options.unsafe,
        isWanted,
        scan: (files) => scanFindings(program, files, cacheFolder(io.environment)),
        ...(compile ? { compile: (files, check) => compile(program, files, check) } : {}),
      })
      done += program.reported.length
      yield { program, fixed, done, total }
    }
  }
  return programs()
}

function whyNone(wanted: readonly string[] | undefined): string {
  if (wanted === undefined) return messages.noVersionAdmittedAll
  return wanted.length === 0 ? messages.settingsNameNoVersion : messages.notAllFilesAdmit(wanted.join(', '))
}

/** What all files of the project admit, its tests and scripts included: they are compiled with the others. */
async function versionFor(
  { project, programs }: ProjectSources,
  request: SourceRequest,
  typed: string | undefined,
  io: Io,
): Promise<string | undefined> {
  const around = project && (await readProjectSources({ ...request, paths: [project.root], scope: 'project' }, io))
  const texts = [...programs, ...(around?.programs ?? [])].flatMap(({ files }) => files.map(({ text }) => text))
  const wanted = typed === undefined ? project?.compilers : [typed]
  const version = chooseCompilerVersion(texts, wanted)
  if (version === undefined) {
    io.err.write(messages.assayNoPragmaPinned(whyNone(wanted)))
  }
  return version
}
