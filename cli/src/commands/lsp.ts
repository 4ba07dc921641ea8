import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'

/** Serves an editor. */
export const lsp = defineCommand({
  name: 'lsp',
  summary: 'Serve an editor (Language Server Protocol over standard input and output).',
  parameters: '',
  details: [
    'Findings while typing, with the steps of the trace as related places; the page of a weakness on hover; quick fixes, and a comment that sets a finding aside with a reason.',
  ],
  options: { stdio: { description: 'Taken for the sake of clients that always send it.' } },
  examples: [{ line: 'assay lsp --stdio', does: 'Started by the editor, not by hand.' }],

  async run({ io }) {
    // Loaded here, so that a scan does not pay for it.
    const { serveStreams } = await import('../lsp/server.ts')
    await Promise.race([serveStreams(process.stdin, process.stdout, io), io.interrupted()])
    return exit.clean
  },
})
