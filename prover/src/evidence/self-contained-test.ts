import type { Evidence, InputFile } from '@assay/engine'
import { librariesNamed } from '../compile/libraries.ts'
import { isInstalled, loadPackages } from '../packages.ts'
import { inlineTarget } from './foundry-test.ts'

/**
 * The test of a confirmed finding with its target and the library sources that completed it, so that it runs wherever it lies.
 * The files are the closure of the finding's file, what is imported first.
 */
export const selfContainedTest = async (
  { foundryTest, libraries }: Pick<Evidence, 'foundryTest' | 'libraries'>,
  files: readonly InputFile[],
  remappings: readonly string[] = [],
): Promise<string | undefined> => {
  if (!foundryTest) return undefined
  const completing =
    libraries && isInstalled() ? librariesNamed(libraries, files, await loadPackages(), remappings) : []
  return inlineTarget(foundryTest.text, [...completing, ...files])
}
