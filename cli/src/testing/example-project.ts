import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { floating, makeFolder } from './captured-io.ts'

const vault = floating.replace('contract Box {', 'contract Vault {\n    uint256 public total;')

/** With a fault that an attack can show. */
const weakVault = vault.replace(
  'uint256 public total;',
  'uint256 public total;\n    function close() external { selfdestruct(payable(msg.sender)); }\n    receive() external payable {}',
)

const vaultV2 = vault
  .replace('Vault', 'VaultV2')
  .replace('uint256 public total;', 'uint256 public total;\n    bool public open;')

/** A project in which every example makes sense. */
export function makeExampleProject(): string {
  const folder = makeFolder({
    'hardhat.config.js': 'module.exports = {}',
    'contracts/Vault.sol': weakVault,
    'VaultV2.sol': vaultV2,
    'contracts/legacy/Old.sol': floating,
    // Long enough for an example that asks about its 42nd line.
    'Vault.sol': `${vault}${'\n'.repeat(40)}`,
    'src/Vault.sol': vault,
    'baseline.json': '{"files": []}',
    'assay.triage.json': '{"version": 1, "findings": []}',
  })
  cpSync(fileURLToPath(new URL('../../../docs/examples/own-rules', import.meta.url)), join(folder, 'rules'), {
    recursive: true,
  })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words], {
      stdio: 'pipe',
    })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  return folder
}

/** The words of a line as a shell reads them; what stands before a pipe becomes standard input. */
export function readLine(line: string, folder: string): { words: string[]; stdin?: string } {
  const [before, after] = line.includes('|') ? line.split('|') : [undefined, line]
  const words = [...(after ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
  const file = /^cat (\S+)/.exec(before?.trim() ?? '')?.[1]
  return { words, ...(file ? { stdin: readFileSync(join(folder, file), 'utf8') } : {}) }
}
