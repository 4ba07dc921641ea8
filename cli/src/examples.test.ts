import { describe, expect, test } from 'vitest'
import { commands } from './commands/index.ts'
import { labelOf, usage } from './help.ts'
import { assayIn } from './testing/captured-io.ts'
import { readDocument } from './testing/documents.ts'
import { makeExampleProject, readLine } from './testing/example-project.ts'

const isServer = (line: string) => / (lsp|mcp)\b/.test(line)
/** Its own test has an explorer at the edge of the network. */
const isOfNetwork = (line: string) => line.startsWith('assay fetch ')

describe('examples of the help and the reference', () => {
  const lines = commands.flatMap(({ examples }) => examples.map(({ line }) => line))

  test.each(lines.filter((line) => !isServer(line) && !isOfNetwork(line)))('%s', async (line) => {
    const folder = makeExampleProject()
    const { words, ...situation } = readLine(line, folder)
    expect(words.shift()).toBe('assay')
    const { code, out, err } = await assayIn(folder, words, situation)
    // The compilers are installed by those who want them.
    if (/^(prove|hunt)$/.test(words[0] ?? '') && /the prover is not installed/i.test(`${out}${err}`)) return
    // 2 means that it could not be done; findings are what the project is made for.
    expect([code, err], out).toEqual([
      expect.toSatisfy((value) => value === 0 || value === 1),
      expect.not.stringMatching(/no such|There is no|must be|mistake/),
    ])
  })

  test('servers are started by others; the test of the package speaks to them', () => {
    expect(lines.filter(isServer).sort()).toEqual(['assay lsp --stdio', 'assay mcp'])
  })
})

describe('help', () => {
  const reference = readDocument('docs/reference/cli.md')

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s: every option stands in the help and in the reference',
    (name, command) => {
      const help = usage(command)
      const section = reference.slice(reference.indexOf(`## assay ${name}\n`)).split(/\n## /)[0] ?? ''
      for (const [option, data] of Object.entries(command.options)) {
        expect(help).toContain(labelOf(option, data))
        expect(section).toContain(`\`${labelOf(option, data)}\``)
      }
      for (const { line } of command.examples) {
        expect(help).toContain(line)
        expect(section).toContain(line)
      }
    },
  )
})
