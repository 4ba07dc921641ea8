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
