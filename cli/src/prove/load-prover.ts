import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Complaint, type Io } from '../io.ts'
import { loadProver as texts } from '../messages/prove.ts'
import { isBundled } from '../version.ts'

/** Beside the bundle: what compilers and EVM the prover of this version works with. */
const manifests = fileURLToPath(new URL('./prover-packages/', import.meta.url))
const names = ['package.json', 'package-lock.json']

/** `ASSAY_PROVER_DIR`, else a folder for exactly these versions where the system keeps the data of programs. */
export function proverFolder({ environment }: Pick<Io, 'environment'>, platform = process.platform): string {
  if (environment.ASSAY_PROVER_DIR) return environment.ASSAY_PROVER_DIR
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir()
  const data =
    platform === 'win32'
      ? (environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (environment.XDG_DATA_HOME ?? join(home, '.local', 'share'))
  return join(data, 'assay', `prover-${lockHash()}`)
}

function lockHash(): string {
  const lock = join(manifests, 'package-lock.json')
  return existsSync(lock) ? createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12) : 'checkout'
}

/** The prover, given the folders of its compilers; loaded by those who ask for proof alone. */
export async function prepareProver(io: Io): Promise<typeof import('@assay/prover')> {
  const prover = await import('@assay/prover')
  lookForPackages(prover, io)
  return prover
}

/** A command that is installed in a project lies below it, so what lies above the command may be anyone's; not so in a checkout. */
const lookForPackages = (prover: typeof import('@assay/prover'), io: Io): void =>
  prover.lookForPackagesIn([proverFolder(io)], { only: /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url)) })

/** How to get compilers and EVM for this command. */
export const howToInstall = (): string => (isBundled ? 'assay prove --install' : 'npm run setup:prover')

/** The prover with its compilers; a complaint that says how to get them when they are not there. */
export async function loadProver(io: Io): Promise<typeof import('@assay/prover')> {
  const prover = await prepareProver(io)
  if (!prover.isInstalled()) throw new Complaint(texts.proverNotInstalledFetches(howToInstall()))
  return prover
}

/** A person at a terminal decides; a pipeline, where nobody is, by `ASSAY_PROVER_INSTALL`, and `always` spares the person the question. */
export async function mayInstall(io: Io): Promise<boolean> {
  const choice = io.environment.ASSAY_PROVER_INSTALL
  if (choice === 'never' || choice === 'always') return choice === 'always'
  if (!io.err.isTerminal) return true
  const answer = await io.prompt(texts.installCompilersNow)
  return answer !== undefined && /^(?:y(?:es)?)?$/i.test(answer.trim())
}

/** Whether the prover has its compilers; the first use fetches them where it may. */
export async function installOnFirstUse(io: Io): Promise<boolean> {
  const prover = await prepareProver(io)
  if (prover.isInstalled() || !(await mayInstall(io))) return prover.isInstalled()
  try {
    await installProver(io)
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    io.err.write(`assay: ${error.message}\n`)
  }
  lookForPackages(prover, io)
  return prover.isInstalled()
}

/** Fetches compilers and EVM by the lock file that came with the command, or as the checkout does; no script of theirs is run. */
export async function installProver(io: Io): Promise<void> {
  if (!existsSync(join(manifests, 'package-lock.json'))) return setUpCheckout(io)
  const folder = proverFolder(io)
  mkdirSync(folder, { recursive: true })
  for (const name of names) copyFileSync(join(manifests, name), join(folder, name))
  io.err.write(texts.assayInstallingCompilersEvm(folder))
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folder, io)
}

async function setUpCheckout(io: Io): Promise<void> {
  const script = fileURLToPath(new URL('../../../tools/setup-prover.mjs', import.meta.url))
  await run(process.execPath, [script], io.folder, io)
}

async function run(command: string, words: readonly string[], folder: string, io: Io): Promise<void> {
  const { spawn } = await import('node:child_process')
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(command, words, {
      cwd: folder,
      env: { ...process.env, ...io.environment },
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32' && command === 'npm',
    })
    child.once('error', reject)
    child.once('close', (status) => resolve(status ?? 1))
  }).catch((error: Error) => {
    throw new Complaint(texts.proverCouldNotInstalled(command, error.message))
  })
  if (code !== 0) throw new Complaint(texts.proverCouldNotInstalledEnded(command, code))
}
