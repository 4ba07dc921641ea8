import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'

/** Serves an editor. */
export const lsp = defineCommand({
  name: 'lsp',
  summary: 'Start the language server (LSP) for editors.',
  parameters: '',
  details: [
    'Shows findings while you type, with the trace as related locations, the detector page on hover, quick fixes, and a comment to suppress a finding.',
  ],
  options: { stdio: { description: 'Accepted for clients that always send it.' } },
  examples: [{ line: 'assay lsp --stdio', does: 'Started by the editor, not by hand.' }],

  async run({ io }) {
    // Loaded here, so that a scan does not pay for it.
    const { serveStreams } = await import('../lsp/server.ts')
    await Promise.race([serveStreams(process.stdin, process.stdout, io), io.interrupted()])
    return exit.clean
  },
})
