import type { InputFile } from '@assay/engine'
import { loadCompilers } from '../packages.ts'
import { compile } from './compile.ts'

/** The first error of the compiler; undefined when the files compile together, with code for those in `codeFor`. */
export const whyNotCompiled = async (
  files: readonly InputFile[],
  remappings: readonly string[],
  codeFor: readonly string[],
): Promise<string | undefined> => {
  const result = compile(files, loadCompilers(), { remappings, codeFor })
  return result.ok ? undefined : result.error
}
