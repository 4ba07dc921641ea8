import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'
import { lsp as texts } from '../messages/commands.ts'

/** Serves an editor. */
export const lsp = defineCommand({
  name: 'lsp',
  summary: texts.startLanguageServerLsp,
  parameters: '',
  details: [texts.showsFindingsWhileYou],
  options: { stdio: { description: texts.acceptedClientsAlwaysSend } },
  examples: [{ line: 'assay lsp --stdio', does: texts.startedEditorNotHand }],

  async run({ io }) {
    // Loaded here, so that a scan does not pay for it.
    const { serveStreams } = await import('../lsp/server.ts')
    await Promise.race([serveStreams(process.stdin, process.stdout, io), io.interrupted()])
    // An editor that ends the server by a signal leaves the pipe open, which would keep the process.
    process.stdin.destroy()
    return exit.clean
  },
})
