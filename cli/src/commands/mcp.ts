import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'

/** Serves the tools to an agent. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Start the MCP server (Model Context Protocol) for AI agents.',
  parameters: '',
  details: [
    'Reads files below the folder it is started in and writes nothing. Tools: scan, explain, list_detectors, compare, show, prove. Resources: the detector pages.',
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
