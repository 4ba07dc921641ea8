import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'

/** Serves the tools to an agent. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve an agent (Model Context Protocol over standard input and output).',
  parameters: '',
  details: [
    'Files are read below the folder it is started in, and nothing is written. Tools: scan, explain, list_detectors, compare, show, prove; resources: the page of each detector.',
    'In a client: command `assay`, arguments `["mcp"]`, working folder your project.',
  ],
  options: {},
  examples: [{ line: 'assay mcp', does: 'Started by the agent, not by hand.' }],

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
    return exit.clean
  },
})
