import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'
import { mcp as texts } from '../messages/commands.ts'

/** Serves the tools to an agent. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: texts.startMcpServerModel,
  parameters: '',
  details: [texts.readsFilesBelowFolder, texts.clientCommandAssayArguments],
  options: {},
  examples: [{ line: 'assay mcp', does: texts.startedAgentNotHand }],

  async run({ io }) {
    // Loaded here, so that a scan does not pay for it.
    const [{ createMcpServer }, { serveStdio }] = await Promise.all([
      import('../mcp/server.ts'),
      import('@modelcontextprotocol/server/stdio'),
    ])
    const handle = serveStdio(() => createMcpServer(io))
    await Promise.race([
      io.interrupted(),
      new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve)),
    ])
    await handle.close()
    // An agent that ends the server by a signal leaves the pipe open, which would keep the process.
    process.stdin.destroy()
    return exit.clean
  },
})
