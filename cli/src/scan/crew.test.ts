import { expect, test } from 'vitest'
import { countHelpers, formCrew, joinCrew } from './crew.ts'
import type { Program } from './programs.ts'
import { runProgram } from './run-program.ts'

const options = { suppressions: 'honour' as const }

const bank = (name: string): string => `pragma solidity 0.8.20;
contract ${name} {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        (bool sent, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function one() external pure returns (uint256) { return 1; }
    function two() external pure returns (uint256) { return 2; }
}
`

const paths = Array.from({ length: 24 }, (_, i) => `Bank${i}.sol`)
const program: Program = {
  reported: paths,
  files: paths.map((path, i) => ({ path, text: bank(`Bank${i}`) })),
  importTargets: {},
}

const finishedIn = ({ states }: { readonly states: SharedArrayBuffer }): number =>
  new Int32Array(states).filter((state) => state === 2).length

test('what a helper found out is in the reports of the other thread', async () => {
  const alone = await runProgram(program, options)
  const { main, helpers } = formCrew(1)
  const [helper] = helpers
  expect(await runProgram(program, options, { crew: helper! })).toEqual([])
  expect(finishedIn(main)).toBeGreaterThan(1)
  expect(await runProgram(program, options, { crew: main })).toEqual(alone)
})

test('nobody waits for a helper that has ended, and it begins nothing more', async () => {
  const alone = await runProgram(program, options)
  const crew = formCrew(1)
  const helper = joinCrew(crew.helpers[0]!, () => {})
  expect([helper.claim(0), helper.claim(0)]).toEqual([true, false])
  crew.end()
  expect(helper.claim(1)).toBe(false)
  expect(await runProgram(program, options, { crew: crew.main })).toEqual(alone)
})

test('only a program of much code has helpers, on cores that the thread leaves idle', () => {
  const long = (text: string): Program => ({ ...program, files: [{ path: 'Long.sol', text: text.repeat(100_000) }] })
  const short = [program, long('// words\n'), long('/* x */ \n'), long('       \n')]
  expect(short.map((each) => countHelpers(each, 7, 8))).toEqual([0, 0, 0, 0])
  const code = long('f(x);\n')
  expect([1, 2, 3, 8].map((cores) => countHelpers(code, 7, cores))).toEqual([0, 0, 1, 3])
  expect(countHelpers(code, 1, 8)).toBe(1)
})
