import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createIo, floating, makeFolder } from '../testing/captured-io.ts'
import { createMcpServer } from './server.ts'

async function connect(files: Record<string, string>) {
  const folder = makeFolder(files)
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair()
  await createMcpServer(createIo(folder)).connect(serverSide)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(clientSide)
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    // The client refuses an answer that does not match the tool's output schema.
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    return { text: first?.text ?? '', isError: isError === true, structured: structuredContent }
  }
  return { client, call, folder }
}

const json = ({ text }: { text: string }) => JSON.parse(text)

describe('tools', () => {
  test('are listed with their schemas', async () => {
    const { client } = await connect({})
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'compare',
      'explain',
      'fix',
      'list_detectors',
      'prove',
      'scan',
      'show',
    ])
    for (const { inputSchema, description } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(description).toBeTruthy()
    }
    const described = tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)
    expect(described.sort()).toEqual(['compare', 'fix', 'list_detectors', 'prove', 'scan'])
  })

  test('scan: the project, with what matters first', async () => {
    const { call } = await connect({ 'src/Box.sol': floating, 'test/T.sol': floating, 'foundry.toml': '' })
    const answer = await call('scan')
    const found = json(answer)
    expect(answer.structured).toEqual(found)
    expect(found.totals).toMatchObject({ files: 1, bySeverity: { high: 1 } })
    expect(found.findings[0]).toMatchObject({ detector: 'floating-pragma', swc: 'SWC-103', place: 'src/Box.sol:1:1' })
    expect(json(await call('scan', { minSeverity: 'critical' })).findings).toEqual([])
  })

  test('scan: a text; a refusal says why', async () => {
    const { call } = await connect({})
    expect(json(await call('scan', { source: floating })).findings).toHaveLength(1)
    const poem = await call('scan', { source: 'Roses are red.' })
    expect([poem.isError, poem.text]).toEqual([true, expect.stringContaining('not valid Solidity')])
  })

  test('files outside of the folder are refused, also by a link', async () => {
    const outside = makeFolder({ 'Secret.sol': floating })
    const { call, folder } = await connect({ 'src/A.sol': floating })
    mkdirSync(join(folder, 'links'))
    symlinkSync(outside, join(folder, 'links/out'))
    for (const path of [outside, '../', 'links/out', '/etc']) {
      const answer = await call('scan', { paths: [path] })
      expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining('only what lies below the folder')])
    }
  })

  test('nothing outside is quoted, whether a link, an import or a setting leads there', async () => {
    const outside = makeFolder({ 'Secret.sol': floating.replace('Box', 'OutsideBox') })
    const { call, folder } = await connect({
      'foundry.toml': `[profile.default]\nremappings = ["out/=${outside}/"]\n`,
      'src/A.sol': `import "${outside}/Secret.sol";\nimport "out/Secret.sol";\n${floating}`,
    })
    symlinkSync(join(outside, 'Secret.sol'), join(folder, 'src/Linked.sol'))
    const scanned = await call('scan')
    expect(scanned.text).not.toContain('OutsideBox')
    expect(json(scanned)).toMatchObject({ settings: [expect.stringContaining('remappings')] })
    expect(json(scanned).refused).toContain('src/Linked.sol')
    expect((await call('show', { view: 'storage' })).text).not.toContain('OutsideBox')
  })

  test('an answer is bounded, and says how much was left out', async () => {
    const many = Array.from(
      { length: 400 },
      (_, i) => `    function f${i}(address a, bytes calldata d) external { a.delegatecall(d); }`,
    ).join('\n')
    const { call } = await connect({ 'A.sol': `pragma solidity 0.8.28;\ncontract A {\n${many}\n}\n` })
    const { text } = await call('scan', { limit: 200 })
    expect(text.length).toBeLessThan(61_000)
    expect(JSON.parse(text).omitted).toBeGreaterThan(0)
  })

  test('explain, list_detectors, compare, show', async () => {
    const { call } = await connect({ 'A.sol': floating })
    expect((await call('explain', { id: '107' })).text).toContain(
      '# Reentrancy: state updated after external call (reentrancy)',
    )
    expect((await call('explain', { id: 'nonsense' })).isError).toBe(true)
    expect(json(await call('list_detectors')).detectors.length).toBeGreaterThan(30)
    const searched = json(await call('list_detectors', { search: 'first depositor' })).detectors
    expect(searched.map(({ id }: { id: string }) => id)).toContain('vault-share-inflation')
    const compared = json(await call('compare', { before: floating, after: floating.replace('^0.8.0', '0.8.28') }))
    expect([compared.new, compared.unchanged, compared.fixed.length]).toEqual([[], [], 1])
    expect((await call('show', { view: 'entry-points' })).text).toContain('next(uint256)')
  })
})

test('fix: patches as a diff, and nothing is written', async () => {
  const { call, folder } = await connect({
    'src/A.sol': floating,
    'foundry.toml': '[profile.default]\nsolc = "0.8.28"\n',
  })
  const fixed = json(await call('fix'))
  expect(fixed.patches).toEqual([
    { place: 'src/A.sol:1:1', detector: 'floating-pragma', title: expect.any(String), unsafe: false },
  ])
  expect(fixed.diffs[0].diff).toContain('+pragma solidity 0.8.28;')
  expect(readFileSync(join(folder, 'src/A.sol'), 'utf8')).toBe(floating)
  expect(json(await call('fix', { skip: ['floating-pragma'] })).patches).toEqual([])
})

test('scan: only what a change added or touched', async () => {
  const { call, folder } = await connect({ 'A.sol': floating })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', folder, ...words])
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'first')
  const nothing = json(await call('scan', { changedSince: 'main' }))
  expect(nothing.findings).toEqual([])
  expect(nothing.compared).toMatch(/^Nothing new since main in the one file compared\./)
  expect(Object.keys(nothing.totals)).not.toContain('score')
  expect(Object.keys(nothing.totals)).not.toContain('rating')
  expect(json(await call('scan')).totals.score).toBeTypeOf('number')
  writeFileSync(join(folder, 'B.sol'), floating.replace('Box', 'Crate'))
  const found = json(await call('scan', { changedSince: 'main' })).findings
  expect(found.map(({ place }: { place: string }) => place)).toEqual(['B.sol:1:1'])
  expect((await call('scan', { changedSince: '--output=x' })).isError).toBe(true)
})

test('missing imports are counted by package', async () => {
  const imports = ['token/ERC20.sol', 'access/Ownable.sol'].map((path) => `import "@openzeppelin/contracts/${path}";\n`)
  const { call } = await connect({ 'A.sol': `${imports.join('')}import "../lib/Math.sol";\n${floating}` })
  expect(json(await call('scan')).missingImports).toEqual([
    { from: '@openzeppelin/contracts', count: 2 },
    { from: '../lib', count: 1 },
  ])
})

test('prove says how to get what it needs, where that is not there', async () => {
  const { call } = await connect({ 'A.sol': floating })
  const answer = await call('prove')
  // Installed or not, it is an answer and not a failure of the server.
  expect(answer.isError ? answer.text : json(answer).findings[0].place).toMatch(
    /The prover is not installed: |A\.sol:1:1/,
  )
})

test('pages are resources', async () => {
  const { client } = await connect({})
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toContain('assay://detectors/reentrancy')
  const { contents } = await client.readResource({ uri: 'assay://detectors/reentrancy' })
  expect((contents[0] as { text: string }).text).toContain('## How to fix it')
})
