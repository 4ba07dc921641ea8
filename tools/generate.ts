// npm run generate: writes everything that is derived; with --check only names what is stale.
import { fileURLToPath } from 'node:url'
import { findStale, type GeneratedFile, type StaleFile, writeGenerated, writeOutdated } from './generated-file.ts'

/**
 * The generators are loaded one after the other: the list of detectors must be on disk before anything that imports the
 * engine is loaded.
 */
const generators: readonly (() => Promise<readonly GeneratedFile[]>)[] = [
  async () => (await import('./generate-detectors.ts')).generateDetectors(),
  async () => (await import('./generate-questions.ts')).generateQuestions(),
  async () => (await import('./generate-plans.ts')).generatePlanOffers(),
  async () => (await import('./generate-cli.ts')).generateCli(),
  async () => (await import('./generate-common-passwords.ts')).generateCommonPasswords(),
  async () => (await import('./generate-api.ts')).generateApi(),
]

/** All derived files as they should be. */
export async function collectGenerated(): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = []
  for (const generate of generators) files.push(...(await generate()))
  return files
}

export const inWords = ({ path, reason }: StaleFile): string => `${path} is stale (${reason}): run \`npm run generate\``

async function generateAll(): Promise<StaleFile[]> {
  const { generateDetectorIndex } = await import('./generate-detectors.ts')
  return [...writeOutdated(generateDetectorIndex()), ...writeGenerated(await collectGenerated())]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const stale = findStale(await collectGenerated())
    for (const file of stale) process.stderr.write(`${inWords(file)}\n`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    const written = await generateAll()
    for (const { path, reason } of written)
      process.stdout.write(`${reason === 'left over' ? 'removed' : 'wrote'} ${path}\n`)
    if (written.length === 0) process.stdout.write('Everything derived is up to date.\n')
  }
}
