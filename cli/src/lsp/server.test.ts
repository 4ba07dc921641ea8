import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CodeActionRequest,
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { createIo, floating, makeFolder } from '../testing/captured-io.ts'
import { serveLanguage } from './server.ts'

const bank = `pragma solidity 0.8.28;
contract Bank {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
}
`

async function open(files: Record<string, string>, name: string, text: string) {
  const folder = makeFolder(files)
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  serveLanguage(server, createIo(folder))
  const client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  const waiting: ((params: PublishDiagnosticsParams) => void)[] = []
  const arrived: PublishDiagnosticsParams[] = []
  client.onNotification(PublishDiagnosticsNotification.type, (params) => {
    const waiter = waiting.shift()
    if (waiter) waiter(params)
    else arrived.push(params)
  })
  const logged: string[] = []
  client.onNotification(LogMessageNotification.type, ({ message }) => void logged.push(message))
  client.listen()
  onTestFinished(() => {
    client.dispose()
    server.dispose()
  })
  const initialized = await client.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {},
  })
  await client.sendNotification(InitializedNotification.type, {})
  const uri = pathToFileURL(join(folder, name)).href
  await client.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'solidity', version: 1, text },
  })
  const diagnostics = () =>
    new Promise<PublishDiagnosticsParams>((resolve) => {
      const first = arrived.shift()
      if (first) resolve(first)
      else waiting.push(resolve)
    })
  const change = (version: number, changed: string) =>
    client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ text: changed }],
    })
  return { client, uri, initialized, diagnostics, change, logged }
}

describe('an editor', () => {
  test('announces what it can answer', async () => {
    const { initialized } = await open({}, 'A.sol', floating)
    expect(initialized.capabilities).toMatchObject({ hoverProvider: true, textDocumentSync: 2 })
  })

  test('the settings of the project that were applied are logged, each once', async () => {
    const files = { 'foundry.toml': '[profile.default]\nsrc = "src"\nlibs = ["other"]\n', 'src/A.sol': bank }
    const { diagnostics, change, logged } = await open(files, 'src/A.sol', bank)
    await diagnostics()
    await change(2, `${bank}\n`)
    await diagnostics()
    expect(logged).toEqual(['foundry.toml: src = src', 'foundry.toml: libs = other'])
  })

  test('sees findings of what stands in it, saved or not, with the steps of the trace', async () => {
    const { diagnostics, uri } = await open({}, 'Bank.sol', bank)
    const { diagnostics: found, uri: of } = await diagnostics()
    expect(of).toBe(uri)
    const reentrancy = found.find(({ code }) => code === 'SWC-107')
    expect(reentrancy).toMatchObject({
      severity: 1,
      source: 'assay',
      range: { start: { line: 6, character: 24 } },
      data: { detector: 'reentrancy' },
    })
    expect(reentrancy?.relatedInformation?.map(({ location }) => location.range.start.line)).toEqual(
      expect.arrayContaining([5, 8]),
    )
  })

  test('sees them go while typing, and all of them when the file is closed', async () => {
    const { diagnostics, change, client, uri } = await open({}, 'A.sol', floating)
    expect((await diagnostics()).diagnostics).toHaveLength(1)
    await change(2, floating.replace('^0.8.0', '0.8.28'))
    expect(await diagnostics()).toMatchObject({ version: 2, diagnostics: [] })
    await client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } })
    expect((await diagnostics()).diagnostics).toEqual([])
  })

  test('resolves imports by the project', async () => {
    const files = {
      'foundry.toml': '',
      'lib/base/src/Base.sol': 'pragma solidity 0.8.28;\nabstract contract Base { uint256 internal x; }\n',
    }
    const text =
      'pragma solidity 0.8.28;\nimport {Base} from "base/Base.sol";\ncontract A is Base { uint256 internal x; }\n'
    const { diagnostics } = await open(files, 'src/A.sol', text)
    expect((await diagnostics()).diagnostics).toContainEqual(expect.objectContaining({ code: 'SWC-119' }))
  })

  test('shows the page of a weakness on hover', async () => {
    const { diagnostics, client, uri } = await open({}, 'Bank.sol', bank)
    await diagnostics()
    const hoverAt = (line: number) =>
      client.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line, character: 30 } })
    expect((await hoverAt(6))?.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('## How to fix it'),
    })
    expect(await hoverAt(3)).toBeNull()
  })

  test('offers a fix, and a comment that sets the finding aside', async () => {
    const { diagnostics, client, uri } = await open({}, 'A.sol', floating)
    await diagnostics()
    const start = { line: 0, character: 3 }
    const actions = await client.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [] },
    })
    expect(actions).toMatchObject([
      {
        title: 'Pin the pragma to 0.8.28',
        edit: {
          changes: {
            [uri]: [
              {
                range: { start: { line: 0, character: 0 }, end: { line: 0, character: 23 } },
                newText: 'pragma solidity 0.8.28;',
              },
            ],
          },
        },
      },
      {
        title: 'Suppress SWC-103 here, with a reason',
        edit: { changes: { [uri]: [{ newText: '// assay-ignore SWC-103: why this is a false positive\n' }] } },
      },
    ])
  })
})
