// The tests: npm test runs everything but the oracles, and up to three failed files once more; npm test -- <filters> hands the filters to vitest and runs only those;
// npm run test:oracles asks the compilers that judge the parser and the model.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { main, root, say } from './project.mjs'
import { runCommand } from './run-command.mjs'
import { setup } from './setup.mjs'
import { asPassed, failedFilesIn, failedIn, ranNothing, skippedIn, summary } from './test-results.mjs'
import { typecheck } from './typecheck.mjs'
import { seenAnswers, unseenAnswers } from './unseen-answers.mjs'

const isOracleRun = process.argv.includes('--oracles')
const filters = process.argv.slice(2).filter((word) => word !== '--oracles')
const detectorFolder = join(root, 'engine', 'src', 'detectors')
/** `npm test -- reentrancy`: a detector has no test file, its fixtures are its tests. */
const detectorIds = filters.filter(
  (word) => /^[a-z0-9-]+$/.test(word) && existsSync(join(detectorFolder, word, 'detector.ts')),
)
const isDetectorRun = detectorIds.length > 0 && detectorIds.length === filters.length
const resultFile = join(root, '.cache', 'test-results.json')
/** What the service answered in a whole run, kind by kind; one with filters, or without prover and PostgreSQL, sees too little to judge by. */
const answers = filters.length === 0 && !isOracleRun ? join(root, '.cache', 'answers') : undefined

await main(async () => {
  await setup('all')
  if (!isDetectorRun && !isOracleRun) await build()
  const checks = filters.length === 0 && !isOracleRun ? await runChecks() : []
  const code = filters.length === 0 ? await withSecondRun(await runVitest()) : await runVitest()
  const failures = checks.filter((check) => check.failed)
  for (const check of failures) say(`${check.name} failed; \`${check.command}\` shows it again`)
  const whole = readResults()
  const results = code === 0 ? asPassed(whole) : whole
  const isWhole = process.env.TEST_REQUIRE_ALL === '1' && filters.length === 0
  const forbidden = isWhole ? skippedIn(results) : []
  for (const name of forbidden) say(`skipped, though TEST_REQUIRE_ALL is set: ${name}`)
  const unseen = answers && isWhole ? unseenAnswers(readDocument(), seenAnswers(answers)) : []
  for (const answer of unseen) say(`listed in openapi.json and never seen in a test: ${answer}`)
  const isIdle = (filters.length > 0 || isOracleRun) && ranNothing(results)
  if (isIdle) say(`no test matches ${filters.join(' ') || '*.oracle.test.ts'}`)
  process.stdout.write(`${summary(results)}\n`)
  return code !== 0 ? code : failures.length + forbidden.length + unseen.length > 0 || isIdle ? 1 : 0
})

async function runChecks() {
  say('checking format and lint')
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const lintCode = await runCommand(process.execPath, [biome, 'check', '.'], { cwd: root })
  say('checking types')
  const untyped = await typecheck()
  return [
    { name: 'format and lint', failed: lintCode !== 0, command: 'npm run lint' },
    { name: `types in ${untyped.join(', ')}`, failed: untyped.length > 0, command: 'npm run typecheck' },
  ]
}

/** What needs a browser or a process can be late on a machine that is full: a few failed files are run once more, alone, and named. */
async function withSecondRun(code) {
  const first = readResults()
  const files = failedFilesIn(first)
  if (code === 0 || files.length === 0 || files.length > 3) return code
  say(`running ${files.length} failed file(s) once more, alone`)
  const again = await vitest(files, join(root, '.cache', 'second-test-results.json'))
  if (again !== 0) return code
  for (const name of failedIn(first)) say(`failed in the whole run, passed alone (look for a race): ${name}`)
  return 0
}

function runVitest() {
  say('running the tests')
  mkdirSync(join(root, '.cache'), { recursive: true })
  if (answers) {
    rmSync(answers, { recursive: true, force: true })
    mkdirSync(answers)
  }
  return vitest(vitestFilters(), resultFile)
}

function vitest(words, output) {
  rmSync(output, { force: true })
  const browser = process.env.TEST_BROWSER ?? findBrowser()
  if (!process.env.TEST_DATABASE_URL)
    say('PostgreSQL suites are skipped: set TEST_DATABASE_URL=postgres://… to run them')
  if (!browser) say('browser suites are skipped: install Chromium, or set TEST_BROWSER=<its path> to run them')
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    TEST_ORACLES: isOracleRun ? '1' : '',
    TEST_ANSWERS: answers ?? '',
    ...(browser ? { TEST_BROWSER: browser } : {}),
  }
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
  return runCommand(process.execPath, [program, 'run', ...reporters, ...words], { cwd: root, env })
}

function vitestFilters() {
  if (!isDetectorRun) return filters
  // The fixtures of the other detectors are left out, and a red run need not list them.
  return [
    join(detectorFolder, 'fixtures.test.ts'),
    '--hideSkippedTests',
    '-t',
    `(^|[ /])(${detectorIds.join('|')})([ /]|$)`,
  ]
}

/** A Chromium for the browser suites; without one they are skipped and say so. */
function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [
    process.env.CHROME_PATH,
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    '/usr/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return candidates.find((path) => path && existsSync(path))
}

function readDocument() {
  return JSON.parse(readFileSync(join(root, 'docs', 'reference', 'openapi.json'), 'utf8'))
}

function readResults() {
  return existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined
}
