import { detectors } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'

test.each([['floating-pragma'], ['SWC-103'], ['swc-103'], ['103']])('explain %s', async (name) => {
  const { code, out } = await assay(['explain', name])
  expect(code).toBe(0)
  expect(out).toContain('Floating pragma')
  expect(out).toContain('How to fix it')
  expect(out).toContain('https://')
})

test('an unknown name gets a hint', async () => {
  const { code, err } = await assay(['explain', 'floting-pragma'])
  expect(code).toBe(2)
  expect(err).toContain('Did you mean floating-pragma?')
})

test('several words are one name, or else several names', async () => {
  const firstLine = async (...words: string[]) => (await assay(['explain', ...words])).out.split('\n')[0]
  expect(await firstLine('first', 'depositor')).toContain('Vault share inflation')
  const { out } = await assay(['explain', 'reentrancy', 'floating-pragma'])
  expect(out).toContain('reentrancy · ')
  expect(out).toContain('floating-pragma · ')
})

test('detectors lists every detector, those of the registry first', async () => {
  const { out } = await assay(['detectors'])
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(detectors.length)
  expect(lines.join('\n')).toMatch(/SWC-103 +high +floating-pragma /)
  const firstAdvisory = lines.findIndex((line) => line.startsWith('–'))
  if (firstAdvisory >= 0) expect(lines.slice(firstAdvisory).every((line) => line.startsWith('–'))).toBe(true)
})

test('detectors --format json is data', async () => {
  const { out } = await assay(['detectors', '--format', 'json'])
  const list = (JSON.parse(out) as { detectors: { id: string; severity: string }[] }).detectors
  expect(list).toContainEqual(expect.objectContaining({ id: 'floating-pragma', swc: 'SWC-103', severity: 'high' }))
})

describe('explain --why', () => {
  const guarded = `pragma solidity 0.8.28;
contract Box {
    address owner = msg.sender;
    function end(address payable to) external {
        require(msg.sender == owner);
        selfdestruct(to);
    }
    function open(address payable to) external {
        selfdestruct(to);
    }
}
`
  const files = { 'Box.sol': guarded }

  test('names the excuse that silenced a line', async () => {
    const { code, out } = await assay(['explain', '--why', 'Box.sol:6', 'SWC-106'], { files })
    expect(code).toBe(0)
    expect(out).toContain('Silent')
    expect(out).toContain('unprotected-selfdestruct/protected')
    expect(out).toContain('because ')
  })

  test('says what is reported there', async () => {
    const { out } = await assay(['explain', '--why', 'Box.sol:9'], { files })
    expect(out).toContain('Reported')
    expect(out).toContain('unprotected-selfdestruct')
  })

  test('says when nothing there is a candidate', async () => {
    const { code, out } = await assay(['explain', '--why', 'Box.sol:11'], { files })
    expect(code).toBe(0)
    expect(out).toContain('Nothing on Box.sol:11')
  })

  test.each([
    ['Box.sol', 'say which line'],
    ['Box.sol:99', 'the file has 12 lines'],
    ['Gone.sol:1', 'could not be read'],
  ])('%s is a complaint', async (place, words) => {
    const { code, err } = await assay(['explain', '--why', place], { files })
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})

test('tells how it is attacked, and when it stays silent', async () => {
  const { out } = await assay(['explain', 'reentrancy'])
  expect(out).toMatch(/How it is attacked\n1\. The attacker deposits/)
  expect(out).toMatch(/Stays silent when\n- /)
})

test('--ast: the nodes of a line, by the names that a rule uses', async () => {
  const files = {
    'A.sol':
      'pragma solidity 0.8.28;\ncontract A {\n  function f(address to) external {\n    to.call{value: 1}("");\n  }\n}\n',
  }
  const { code, out } = await assay(['explain', '--ast', 'A.sol:4'], { files })
  expect([code, out.split('\n').slice(0, 4)]).toEqual([
    0,
    [
      'ExpressionStatement  to.call{value: 1}("");',
      '  Call  to.call{value: 1}("")',
      '    CallOptions  to.call{value: 1}',
      '      Member  to.call',
    ],
  ])
  expect((await assay(['explain', '--ast', 'A.sol:6'], { files })).out).toContain('Nothing begins')
  expect((await assay(['explain', '--ast', 'A.sol:99'], { files })).code).toBe(2)
})
