/** The same project gives the same findings by the command, as a zip, as standard JSON and by the client. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FoundResult, placesOf } from '../bench/found-places.ts'
import { assay } from '../cli/src/testing/captured-io.ts'
import { createClient } from '../client/src/index.ts'
import { type Database, openDatabase } from '../server/src/stores/database.ts'
import { makeZip } from '../server/src/testing/archives.ts'
import { type ScanService, startScanService } from '../server/src/testing/scan-service.ts'
import { temporaryFolder } from '../server/src/testing/temporary-folder.ts'

const owned = `pragma solidity ^0.8.20;
abstract contract Owned {
  address internal owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  function adopt() external { owner = msg.sender; }
}
`
const vault = (owner: string) => `pragma solidity 0.8.26;
import "${owner}";
import {Fees} from "./Fees.sol";
contract Vault is Owned {
  mapping(address => uint256) public balances;
  function put() external payable { balances[msg.sender] += msg.value - Fees.of(msg.value); }
  function take() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
  function close() external onlyOwner { selfdestruct(payable(msg.sender)); }
}
`
const fees =
  'pragma solidity ^0.8.20;\nlibrary Fees { function of(uint256 x) internal pure returns (uint256) { return x / 100; } }\n'
const harness = (path: string) => `pragma solidity ^0.8.0;
import "${path}";
contract Harness is Vault { function open() external { selfdestruct(payable(tx.origin)); } }
`

const projects: Record<string, Record<string, string>> = {
  Foundry: {
    'foundry.toml': '[profile.default]\nsrc = "src"\nlibs = ["lib"]\n',
    'remappings.txt': '@base/=lib/base/src/\n',
    'src/Vault.sol': vault('@base/Owned.sol'),
    'src/Fees.sol': fees,
    'lib/base/src/Owned.sol': owned,
    'test/Vault.t.sol': harness('../src/Vault.sol'),
    'script/Deploy.s.sol': harness('../src/Vault.sol'),
  },
  Hardhat: {
    'hardhat.config.js': "module.exports = { solidity: '0.8.26' }\n",
    'contracts/Vault.sol': vault('@acme/base/contracts/Owned.sol'),
    'contracts/Fees.sol': fees,
    'contracts/mocks/Harness.sol': harness('../Vault.sol'),
    'node_modules/@acme/base/contracts/Owned.sol': owned,
  },
}

let database: Database
let service: ScanService
let key: { 'x-api-key': string }
let baseUrl: string
beforeAll(async () => {
  database = await openDatabase({ dataDir: temporaryFolder(), databaseUrl: undefined })
  service = await startScanService(database)
  key = (await service.newCaller('pro')).key
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await service.close()
  await database.close()
})

test.each(Object.keys(projects))('a %s project', async (name) => {
  const files = projects[name] ?? {}
  const sources = Object.entries(files).filter(([path]) => path.endsWith('.sol'))
  const { out } = await assay(['scan', '.', '--format', 'json', '--no-cache', '--fail-on', 'never'], { files })
  const byCommand = placesOf((JSON.parse(out) as { files: FoundResult[] }).files)
  expect(byCommand.filter((place) => place.startsWith('reentrancy'))).toHaveLength(1)
  expect(byCommand.join()).not.toMatch(/test|script|mocks|node_modules|lib/)

  const client = createClient({ baseUrl, apiKey: key['x-api-key'] })
  const zip = await client.scans.create({ file: { name: 'app.zip', content: new Uint8Array(makeZip(files)) } })
  // As Hardhat writes its standard input: packages by their names.
  const remappings = (files['remappings.txt'] ?? '').split('\n').filter(Boolean)
  const standard = await client.scans.createFromSources({
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(([path, content]) => [path.replace(/^node_modules\//, ''), { content }])),
    settings: { remappings },
  })
  const plain = await client.scans.createFromSources({
    name,
    remappings,
    sources: Object.fromEntries(sources.map(([path, content]) => [path, { content }])),
  })
  for (const result of [zip, standard, plain]) {
    expect(result.completeness).toBe('full')
    expect(placesOf([result])).toEqual(byCommand)
  }
})
