import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { isInstalled } from '@assay/prover'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CodeActionRequest,
  CodeLensRequest,
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExecuteCommandRequest,
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

interface Opening {
  readonly service?: string
  /** Whether the editor has opened the folder, or only the file. */
  readonly isFolderOpen?: boolean
}

async function open(
  files: Record<string, string>,
  name: string,
  text: string,
  { service, isFolderOpen = false }: Opening = {},
) {
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
    rootUri: isFolderOpen ? pathToFileURL(folder).href : null,
    capabilities: {},
    ...(service ? { initializationOptions: { service } } : {}),
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
  return { client, uri, folder, initialized, diagnostics, change, logged }
}

describe('an editor', () => {
  test('announces what it can answer', async () => {
    const { initialized } = await open({}, 'A.sol', floating)
    expect(initialized.capabilities).toMatchObject({
      hoverProvider: true,
      textDocumentSync: { openClose: true, change: 2 },
      codeLensProvider: {},
    })
  })

  test('what is open is reported before the rest of the project', async () => {
    const { uri, diagnostics } = await open({ 'A.sol': bank, 'B.sol': bank }, 'A.sol', bank, { isFolderOpen: true })
    expect((await diagnostics()).uri).toBe(uri)
    expect((await diagnostics()).uri).toBe(uri.replace(/A\.sol$/, 'B.sol'))
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

  test('sees findings of files that are not open, and follows what is saved', async () => {
    const files = { 'foundry.toml': '', 'src/A.sol': bank, 'src/B.sol': floating }
    const { client, diagnostics, folder, uri } = await open(files, 'src/A.sol', bank, { isFolderOpen: true })
    const other = pathToFileURL(join(folder, 'src/B.sol')).href
    const both = [await diagnostics(), await diagnostics()]
    expect(both.find((each) => each.uri === other)?.diagnostics).toMatchObject([{ code: 'SWC-103' }])
    writeFileSync(join(folder, 'src/B.sol'), floating.replace('^0.8.0', '0.8.28'))
    await client.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } })
    expect(await diagnostics()).toEqual({ uri: other, diagnostics: [] })
  })

  test('links the page of the detector on a service that the settings name', async () => {
    const linked = async (service?: string) => {
      const { diagnostics } = await open({}, 'A.sol', floating, service ? { service } : {})
      return (await diagnostics()).diagnostics[0]?.codeDescription?.href
    }
    expect(await linked('https://assay.example.com/')).toBe('https://assay.example.com/detectors/floating-pragma')
    expect(await linked()).toBe('https://swcregistry.io/docs/SWC-103')
    expect(await linked('command:run')).toBe('https://swcregistry.io/docs/SWC-103')
  })

  test.skipIf(!isInstalled())(
    'has a verified exploit above a finding once it was executed',
    async () => {
      const { client, diagnostics, uri } = await open({}, 'Bank.sol', bank)
      await diagnostics()
      const lenses = async () =>
        (await client.sendRequest(CodeLensRequest.type, { textDocument: { uri } }))?.map(({ range, command }) => [
          range.start.line,
          command?.title.split(':')[0],
        ])
      expect(await lenses()).toContainEqual([6, 'Verify by executing an exploit'])
      await client.sendRequest(ExecuteCommandRequest.type, { command: 'assay.prove', arguments: [uri] })
      expect(await lenses()).toContainEqual([6, 'Verified exploit'])
    },
    120_000,
  )

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
    const { diagnostics: found } = await diagnostics()
    const [title = ''] = String(found.find(({ code }) => code === 'SWC-107')?.message).split(': `')
    const hoverAt = (line: number) =>
      client.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line, character: 30 } })
    expect((await hoverAt(6))?.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('## How to fix it'),
    })
    // One name for one vulnerability, in the list of problems and here.
    expect(title).not.toBe('')
    expect((await hoverAt(6))?.contents).toMatchObject({ value: expect.stringContaining(title) })
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
