/** Housekeeping (the pragma, visibility, events, names) closes the list of every format, whatever its severity. */
import { expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'

const source = `pragma solidity ^0.8.20;

contract Till {
    address owner = msg.sender;

    function pay(address payable to) external {
        require(msg.sender == owner);
        to.transfer(1);
    }
}
`

const housekeeping = ['Floating pragma', 'State variable default visibility']
const other = 'Hardcoded gas amount'

test.each(['text', 'html', 'markdown', 'github', 'github-summary'])('%s', async (format) => {
  const { out } = await assay(['scan', '--details', '--format', format], { files: { 'Till.sol': source } })
  const at = (title: string): number => out.indexOf(title)
  expect(at(other), out).toBeGreaterThan(0)
  for (const title of housekeeping) expect(at(title), `${title} in\n${out}`).toBeGreaterThan(at(other))
})

test('the headline of a file names the housekeeping that its counts include', async () => {
  const headlineOf = async (files: Record<string, string>, words: readonly string[] = []) =>
    (await assay(['scan', ...words], { files })).out.split('\n')[2]
  const alone = 'pragma solidity ^0.8.20;\n\ncontract Empty {}\n'
  expect(await headlineOf({ 'Empty.sol': alone }, ['--only', '103'])).toBe('  1 high  ·  housekeeping: floating pragma')
  expect(await headlineOf({ 'Till.sol': source }, ['--only', '103,108,134'])).toBe(
    '  1 high  2 info  ·  housekeeping: floating pragma, state variable default visibility',
  )
  const wide = { 'src/A.sol': alone, 'src/B.sol': alone.replace('Empty', 'Other') }
  expect(await headlineOf({ 'foundry.toml': '', ...wide }, ['--only', '103'])).toBe('  1 high')
})
