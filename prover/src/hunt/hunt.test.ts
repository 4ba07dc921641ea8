import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isInstalled, loadPackages } from '../packages.ts'
import { runTestsBeside } from '../testing/run-foundry-test.ts'
import { type HuntOptions, type HuntReport, type HuntResult, hunt } from './hunt.ts'

const folder = fileURLToPath(new URL('../../fixtures-hunt/', import.meta.url))
const path = 'src/A.sol'
const patience = 600_000
/** Calls decide, not the time that a busy machine takes for them. */
const options = { milliseconds: 600_000, calls: 200 }
/** Twice the calls after which these are found; the others need at most half of the usual ones. */
const longer: Record<string, number> = {
  'computed-pair': 400,
  'forwarded-role': 400,
  'open-upgrade': 800,
  'raffle-refund': 400,
  'repaid-by-deposit': 400,
  'unnoticed-failure': 800,
}

type Version = 'vulnerable' | 'fixed'

const read = (name: string, version: Version): string => readFileSync(`${folder}${name}/${version}.sol`, 'utf8')

const huntIn = (name: string, version: Version, isEnough?: HuntOptions['isEnough']): Promise<HuntResult> =>
  hunt([{ path, files: [{ path, text: read(name, version) }], remappings: [] }], {
    ...options,
    calls: longer[name] ?? options.calls,
    ...(isEnough ? { isEnough } : {}),
  })

/** Where the harm is done, by what, and in how many steps. */
const expected: Record<string, [oracle: string, place: string, steps: number]> = {
  'answered-loan': ['call-blocked-by-donation', 'AnsweredPool.flashLoan', 3],
  'charging-bank': ['attacker-gains', 'ChargingBank.withdraw', 3],
  'chosen-token': ['attacker-gains', 'Kiosk.exchange', 1],
  'computed-pair': ['attacker-gains', 'Lombard.borrow', 5],
  'counted-vault': ['call-blocked-by-donation', 'CountedVault.flashLoan', 3],
  'double-claim': ['attacker-gains', 'Distributor.claim', 2],
  'exchange-price': ['attacker-gains', 'Pawn.borrow', 4],
  'forwarded-role': ['role-taken', 'Gate.hand', 1],
  'library-slot': ['attacker-code-runs', 'Station.read', 2],
  'linear-swap': ['attacker-gains', 'Booth.trade', 2],
  'made-proxy': ['initialized-twice', 'Relay.init', 1],
  'open-implementation': ['attacker-code-runs', 'Lamp.migrate', 2],
  'open-pause': ['withdrawal-blocked', 'Safe.close', 2],
  'open-role': ['role-taken', 'Desk.hand', 1],
  'open-upgrade': ['attacker-gains', 'Front.upgradeTo', 2],
  'origin-gate': ['role-taken', 'Switchboard.hand', 1],
  'paid-new-owner': ['attacker-gains', 'Gallery.buy', 1],
  'paying-receiver': ['contract-loses', 'LoanOffice.lend', 1],
  'raffle-refund': ['attacker-gains', 'Draw.leave', 3],
  'repaid-by-deposit': ['attacker-gains', 'StormLoan.flashloan', 3],
  'second-initializer': ['initialized-twice', 'Registry.initialize', 1],
  'side-pool': ['attacker-gains', 'EtherPool.flashLoan', 3],
  'stored-secret': ['secret-read', 'Hatch.open', 1],
  'trusting-lender': ['attacker-gains', 'Lender.flashLoan', 1],
  'unnoticed-failure': ['attacker-gains', 'Cellar.take', 2],
  'wrapped-fee': ['contract-loses', 'Desk.lend', 1],
}

describe.skipIf(!isInstalled())('a search without a finding', () => {
  test('every fixture is expected', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(expected).sort())
  })

  test.each(Object.entries(expected))(
    '%s: the exploit is executed, and its test holds until the source is fixed',
    async (name, [oracle, place, steps]) => {
      const isExpected = (each: HuntReport) => each.oracle === oracle && `${each.contract}.${each.function}` === place
      const { reports, notSearched } = await huntIn(name, 'vulnerable', isExpected)
      expect(notSearched).toEqual([])
      const found = reports.find(isExpected)
      expect([
        reports.map((each) => `${each.oracle} ${each.contract}.${each.function}`),
        found?.evidence.steps.length,
      ]).toEqual([expect.arrayContaining([`${oracle} ${place}`]), steps])
      const written = found?.evidence.foundryTest?.text ?? ''
      const packages = await loadPackages()
      const on = (version: Version) => runTestsBeside({ path, text: read(name, version) }, [written], packages)
      expect(await on('vulnerable')).toEqual([{ holds: true }])
      expect(await on('fixed')).toEqual([expect.objectContaining({ holds: false })])
    },
    patience,
  )

  test.each(Object.keys(expected))(
    '%s: nothing is reported of the fixed contract',
    async (name) => {
      const { reports, searched } = await huntIn(name, 'fixed')
      expect(reports.map(({ oracle, evidence }) => `${oracle}: ${evidence.summary}`)).toEqual([])
      expect(searched.length).toBeGreaterThan(0)
    },
    patience,
  )

  test(
    'calls functions that take lists of contracts and of structs',
    async () => {
      const text = `pragma solidity ^0.8.20;
      interface IToken { function transfer(address to, uint256 value) external returns (bool); }
      contract Register { uint256 public count; function note() external { count++; } }
      contract Lists {
        struct Item { uint256 id; bytes32[] proof; }
        IToken[] public tokens;
        address owner = msg.sender;
        constructor(address[] memory members, address other) { require(members.length < 3 && other != address(this)); }
        function add(IToken[] calldata some, address one) external { require(msg.sender == owner && one != owner); tokens = some; }
        function claim(Item[] calldata items, IToken[] calldata some, uint256[] calldata amounts) external {
          for (uint256 i; i < items.length; i++) payable(msg.sender).send(some.length + amounts.length + items[i].proof.length);
        }
      }`
      const { searched } = await hunt([{ path, files: [{ path, text }], remappings: [] }], options)
      expect(searched.map(({ contract }) => contract)).toEqual(['Lists', 'Register'])
    },
    patience,
  )

  test('says what could not be searched', async () => {
    const files = [{ path, text: 'pragma solidity ^0.8.20; import "./Missing.sol"; contract A is Missing {}' }]
    const { reports, searched, notSearched } = await hunt([{ path, files, remappings: [] }], options)
    expect([reports, searched]).toEqual([[], []])
    expect(notSearched).toEqual([{ path, contract: null, reason: expect.stringContaining('Missing.sol') }])
  })
})
