import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { assayIn, makeFolder } from './testing/captured-io.ts'
import { blocksOf, commandsIn, readDocument } from './testing/documents.ts'
import { makeExampleProject, readLine } from './testing/example-project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Those about the command; a further one that shows it must be named here. */
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'cli/README.md',
  'editors/vscode/README.md',
  'docs/ci.md',
  'docs/editors-and-agents.md',
  'docs/own-rules.md',
  'docs/projects.md',
  'docs/prover.md',
  'docs/suppressions.md',
  'docs/versioning.md',
]
const others = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && !documents.includes(`docs/${name}`))
  .map((name) => `docs/${name}`)

/** Examples that another test runs, because they need a package, a server or a minute. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm ci --include=dev && npm pack --workspace cli$/, 'cli/src/install.test.ts'],
  [/^npm install --global \.\/assay-cli-[\d.]+\.tgz$/, 'cli/src/install.test.ts'],
  [/^npm install --global https:\/\/<your service>\/downloads\/assay-cli\.tgz$/, 'web/e2e/walk-visitor.test.ts'],
  [/^docker (build|run) /, 'cli/src/install.test.ts'],
  [/^npm run setup:prover$/, 'tools/setup.test.ts'],
  [/^npm start$/, 'tools/setup.test.ts'],
  [/^npm run release( -- --verify release)?$/, 'tools/release.test.ts'],
  [/^(cd cli|npm pkg set .+|npm publish)$/, 'tools/check-publishing.test.ts'],
  [/^forge test --match-path /, 'prover/src/prove.test.ts'],
  [/^assay fetch /, 'cli/src/commands/fetch.test.ts'],
]
/** Of the service, whose own tests hold them: requests to it, its own program, and its settings. */
const isOfService = (command: string): boolean => /(^|\| )curl |assay-server|^api=/.test(command)
const isOfCommand = (command: string): boolean => /(^|&& |\| )assay /.test(command)

describe('every example of the documents is run by a test', () => {
  test.each(
    documents
      .map((path) => [path, blocksOf(path, 'sh').map(commandsIn)] as const)
      .filter(([, all]) => all.flat().length > 0),
  )('%s', async (_path, blocks) => {
    for (const block of blocks) {
      const folder = makeExampleProject()
      for (const command of block) {
        if (isOfService(command) || command === 'cd your-project') continue
        const test = elsewhere.find(([pattern]) => pattern.test(command))?.[1]
        if (test === undefined && isOfCommand(command)) await runExample(command, folder)
        else if (/^git /.test(command)) execFileSync('git', ['-C', folder, ...command.split(' ').slice(1)])
        else {
          expect([command, test !== undefined && existsSync(join(root, test))]).toEqual([command, true])
        }
      }
    }
  })
})

test('no other document has an example of the command', () => {
  for (const path of others)
    expect([path, blocksOf(path, 'sh').flatMap(commandsIn).filter(isOfCommand)]).toEqual([path, []])
})

async function runExample(command: string, folder: string): Promise<void> {
  const { words, ...situation } = readLine(command.replace(/^cd \S+ && /, ''), folder)
  const { code, err } = await assayIn(folder, words.slice(1), situation)
  // The compilers are installed by those who want them.
  if (/^(prove|hunt)$/.test(words[1] ?? '') && err.includes('The prover is not installed')) return
  expect([command, code === 2 ? err : '']).toEqual([command, ''])
}

test('no document tells anyone to run a name of the registry that Assay does not own', () => {
  for (const path of [...documents, ...others]) {
    const named = [...readDocument(path).matchAll(/\bnpx (?:-\S+ )*(\S+)|npm (?:exec|create|init) (\S+)/g)]
    expect([path, named.map(([words]) => words)]).toEqual([path, []])
  }
})

describe('comments that set findings aside, as the documents show them', () => {
  /** The examples in a contract in which each has something to set aside. */
  const contractOf = (statements: string, rest = '', more = ''): string => `pragma solidity ^0.8.0;
contract Keeper {
    address public vault; mapping(address => uint256) public count; uint256 public end; address keeper = msg.sender; bool public closed;
    modifier onlyKeeper() { require(msg.sender == keeper); _; }
    function setVault(address to) external { vault = to; }
    function work(bytes calldata data, uint256 amount) external {
        uint256 before = count[msg.sender];
        require(before >= amount);
${statements}
        count[msg.sender] = before - amount;
    }
${rest}
}
${more}`
  const suppressedIn = async (text: string) => {
    const { out } = await assayIn(makeFolder({ 'Keeper.sol': text }), ['scan', '-f', 'json'])
    const [file] = JSON.parse(out).files
    const complaints = file.diagnostics.filter(({ message }: { message: string }) =>
      /reason|unknown|no rule/i.test(message),
    )
    return {
      ids: file.suppressed.map(({ vulnerabilityId }: { vulnerabilityId: string }) => vulnerabilityId),
      complaints,
    }
  }

  test('docs/ci.md', async () => {
    const [block = ''] = blocksOf('docs/ci.md', 'solidity')
    expect(await suppressedIn(contractOf(`${block}\n require(ok);`))).toEqual({ ids: ['SWC-107'], complaints: [] })
  })

  test('docs/suppressions.md', async () => {
    const [block = ''] = blocksOf('docs/suppressions.md', 'solidity')
    const [first, second, close = '', whole] = block.split('\n\n')
    const rest = close.replace('…', 'require(block.timestamp > end); closed = true;')
    const { ids, complaints } = await suppressedIn(contractOf(`${first}\nrequire(sent);\n${second}`, rest, whole))
    expect(complaints).toEqual([])
    expect(ids).toEqual(expect.arrayContaining(['SWC-107', 'SWC-104', 'SWC-103']))
  })
})
